import type { SiteDraft } from '#contract/site/draft.ts';
import { Link } from '#web/components/link.tsx';
import styles from './draft-problems.module.css';
import { planOf } from './plans/plans.ts';
import { fieldId } from './section-editing.ts';
import { sections } from './sections.ts';
import { labelAt } from './units.ts';

/** What must be corrected before a publication, with links to the fields. */
export function DraftProblems({ draft }: { draft: SiteDraft }) {
  const incomplete = draft.sections.filter(({ problems }) => problems.length > 0);
  return (
    <section className={styles.problems} aria-labelledby="faltam">
      <h2 id="faltam">Antes de publicar, corrija</h2>
      {incomplete.map(({ section, problems }) => (
        <div key={section}>
          <h3>{sections[section].label}</h3>
          <ul>
            {problems.map(({ path, message }) => {
              const place = path === '' ? [] : path.split('.');
              return (
                <li key={path}>
                  <Link to={`/admin/site/${section}#${fieldId(place)}`}>
                    {labelAt(planOf(section), place)}
                  </Link>
                  : {message}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </section>
  );
}
