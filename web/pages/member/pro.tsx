import { contentLoader, useContent, useSession } from '#web/app/services.ts';
import { isEditor } from '#web/app/session.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { ButtonLink } from '#web/components/button.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { ArrowUpRight } from '#web/components/practice/practice-icons.tsx';
import styles from './pro.module.css';

export const loader = contentLoader('member');

/** The specification prescribes these headings. */
const shelves = [
  ['Cursos', 'courses'],
  ['Links úteis', 'links'],
] as const;

/** The members' page. */
export function Component() {
  const member = useContent('member');
  const editor = isEditor(useSession());
  return (
    <div className={styles.page}>
      <PageTitle title="Pro" />
      <header className={styles.head}>
        <h1 className="page-title">Pro</h1>
        <p className="lead">{member.lead}</p>
        {editor && (
          <p>
            <ButtonLink to="/admin" variant="quiet">
              Abrir a administração
            </ButtonLink>
          </p>
        )}
      </header>
      <div className={styles.sections}>
        {shelves.map(([title, shelf], index) => (
          <section key={title} className={styles.section}>
            <Hexaflex lit={index + 1} className={styles.mark} />
            <h2>{title}</h2>
            <p>{member[shelf].text}</p>
            {member[shelf].items.length > 0 && (
              <ul className={styles.items}>
                {member[shelf].items.map((item, place) => (
                  <li key={place}>
                    <a href={item.url} target="_blank" rel="noopener noreferrer">
                      <span>{item.title}</span>
                      <span className="visually-hidden"> (abre em outra aba)</span>
                      <ArrowUpRight />
                    </a>
                    <p>{item.text}</p>
                  </li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </div>
    </div>
  );
}
