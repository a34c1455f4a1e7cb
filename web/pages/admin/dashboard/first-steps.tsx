import { Check } from 'lucide-react';
import { isIdentityReal } from '#contract/site/checks.ts';
import type { SiteContent } from '#contract/site/content.ts';
import type { SiteDraft } from '#contract/site/draft.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Link } from '#web/components/link.tsx';
import { planOf } from '../components/site/plans/plans.ts';
import { fieldsWithProblems } from '../components/site/units.ts';
import { isSame } from '../components/site/values.ts';
import styles from './first-steps.module.css';

/** Suggests first steps while the library is empty. */
export function FirstSteps({ byAdmin }: { byAdmin: boolean }) {
  return (
    <section aria-labelledby="primeiros-passos" className={styles.steps}>
      <h2 id="primeiros-passos">Primeiros passos</h2>
      <ol className={styles.list}>
        <li>
          <Hexaflex lit={1} className={styles.mark} />
          <div>
            <Link to="/admin/newact">Crie a primeira prática</Link>
            <p>Bastam um título, um link e um texto. Imagem e áudio podem vir depois.</p>
          </div>
        </li>
        <li>
          <Hexaflex lit={2} className={styles.mark} />
          <div>
            <Link to="/practices">Veja como ela aparece</Link>
            <p>As práticas ficam na página Práticas, aberta a todas as pessoas.</p>
          </div>
        </li>
        {byAdmin && (
          <li>
            <Hexaflex lit={3} className={styles.mark} />
            <div>
              <Link to="/admin/users">Conheça quem se cadastrou</Link>
              <p>Cada pessoa cria a própria conta e aparece em Usuários.</p>
            </div>
          </li>
        )}
      </ol>
    </section>
  );
}

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
  const sample = Object.fromEntries(sections.map((one) => [one.section, one.sample])) as SiteContent;
  const content = Object.fromEntries(sections.map((one) => [one.section, one.content])) as SiteContent;
  const identity = sections.find(({ section }) => section === 'identity');
  const missing = fieldsWithProblems(planOf('identity'), identity?.problems ?? []).length;
  const isReal = isIdentityReal(content);
  const hasPortrait = content.home.hero.portrait.file.startsWith('/files/');
  const { lines, lead } = content.home.hero;
  const isWritten = !isSame([lines, lead], [sample.home.hero.lines, sample.home.hero.lead]);
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
      done: isWritten,
    },
    {
      to: '/admin/site/publicar',
      title: 'Publique',
      text: 'Veja o que muda e ponha no ar. Dá para mudar tudo depois.',
      done: false,
    },
  ];
}
