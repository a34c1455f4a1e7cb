import { Check } from 'lucide-react';
import { isIdentityReal } from '#contract/site/checks.ts';
import type { SiteContent } from '#contract/site/content.ts';
import type { SiteDraft } from '#contract/site/draft.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Link } from '#web/components/link.tsx';
import styles from './first-steps.module.css';

/** Leads a new installation to its first publication. It shows nothing afterwards. */
export function PublishSteps({ draft }: { draft: SiteDraft }) {
  if (draft.version > 0) return null;
  const steps = stepsOf(draft);
  return (
    <section aria-labelledby="publicar-o-site" className={styles.steps}>
      <h2 id="publicar-o-site">Ponha o site no ar</h2>
      <p>O site ainda mostra textos de exemplo, e os buscadores não o encontram.</p>
      <ol className={styles.list}>
        {steps.map(({ to, title, text, done }, index) => (
          <li key={to}>
            {done ? (
              <Check className={styles.done} aria-hidden="true" />
            ) : (
              <Hexaflex lit={index + 1} className={styles.mark} />
            )}
            <div>
              <Link to={to}>{title}</Link>
              {done && <span className="visually-hidden"> (feito)</span>}
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf({ sections }: SiteDraft) {
  const content = Object.fromEntries(sections.map((one) => [one.section, one.content])) as SiteContent;
  const missing = sections.find(({ section }) => section === 'identity')?.problems.length ?? 0;
  const isReal = isIdentityReal(content);
  const hasPortrait = content.home.hero.portrait.file.startsWith('/files/');
  const homeIsWritten = sections.some(({ section, changed }) => section === 'home' && changed);
  return [
    {
      to: '/admin/site/identity',
      title: 'Diga quem atende',
      text: isReal
        ? 'Nome, registro e contatos estão escritos.'
        : `Nome, CRM, WhatsApp, endereço. ${missing === 1 ? 'Falta 1 campo' : `Faltam ${missing} campos`}.`,
      done: isReal,
    },
    {
      to: '/admin/site/home#campo-hero-portrait-file',
      title: 'Escolha o retrato',
      text: 'Uma foto sua. Sem ela, fica a ilustração.',
      done: hasPortrait,
    },
    {
      to: '/admin/site/home',
      title: 'Escreva a sua frase',
      text: 'As duas frases grandes e a apresentação da página inicial.',
      done: homeIsWritten,
    },
    {
      to: '/admin/site/publicar',
      title: 'Publique',
      text: 'Veja o que muda e ponha no ar. Dá para mudar tudo depois.',
      done: false,
    },
  ];
}
