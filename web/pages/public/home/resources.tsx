import { ArrowRight, ArrowUpRight, HeartHandshake } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { HomeTexts } from '#clinic/schema.ts';
import type { Axis } from '#contract/axes.ts';
import { AxisIcon } from '#web/parts/axis-icon.tsx';
import { Crisis } from '#web/parts/crisis.tsx';
import styles from './resources.module.css';

export function Resources({ texts }: { texts: HomeTexts['resources'] }) {
  return (
    <section className={styles.resources} aria-labelledby="recursos">
      <h2 id="recursos">{texts.title}</h2>
      <ul className={styles.list}>
        <Resource
          axis="mind"
          icon={<AxisIcon axis="mind" />}
          to="/practices"
          title="Práticas guiadas"
          text="Atenção plena, respiração e descanso, em vídeos e textos curtos"
        />
        <Resource
          axis="values"
          icon={<AxisIcon axis="values" />}
          to="/about"
          title="O que são ACT e FAP"
          text="Uma leitura sem jargão, com seis exercícios de um minuto"
        />
        <Resource
          axis="move"
          icon={<HeartHandshake aria-hidden="true" />}
          to="https://www.gov.br/saude/pt-br/composicao/saes/desmad/raps/caps"
          title="O que é o CAPS e como chegar"
          text="Cuidado em saúde mental pelo SUS, perto de casa. Página do Ministério da Saúde"
        />
      </ul>
      <Crisis title="Se você precisa de ajuda agora" className={styles.crisis} />
    </section>
  );
}

function Resource(props: { axis: Axis; icon: ReactNode; to: string; title: string; text: string }) {
  const { axis, icon, to, title, text } = props;
  const outside = to.startsWith('https:');
  const Arrow = outside ? ArrowUpRight : ArrowRight;
  return (
    <li data-axis={axis}>
      <Link to={to} {...(outside && { target: '_blank', rel: 'noopener' })}>
        {icon}
        <span className={styles.title}>{title}</span>
        <span className={styles.text}>
          {text}
          {outside && <span className="visually-hidden"> (abre em outra aba)</span>}
        </span>
        <Arrow aria-hidden="true" />
      </Link>
    </li>
  );
}
