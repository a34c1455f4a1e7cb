import type { ReactNode } from 'react';
import type { Axis } from '#contract/axes.ts';
import type { HomeTexts } from '#contract/site/content.ts';
import { AxisIcon } from '#web/components/axis-icon.tsx';
import { Link } from '#web/components/link.tsx';
import { ArrowUpRight } from '#web/components/practice/practice-icons.tsx';
import { Crisis } from '../components/crisis.tsx';
import { ArrowRight, HeartHandshake } from './home-icons.tsx';
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
          icon={<HeartHandshake />}
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
  const words = (
    <>
      {icon}
      <span className={styles.title}>{title}</span>
    </>
  );
  return (
    <li data-axis={axis}>
      {to.startsWith('https:') ? (
        <a href={to} target="_blank" rel="noopener">
          {words}
          <span className={styles.text}>
            {text}
            <span className="visually-hidden"> (abre em outra aba)</span>
          </span>
          <ArrowUpRight />
        </a>
      ) : (
        <Link to={to}>
          {words}
          <span className={styles.text}>{text}</span>
          <ArrowRight />
        </Link>
      )}
    </li>
  );
}
