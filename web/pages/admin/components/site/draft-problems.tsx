import type { FieldIssue } from '#contract/errors.ts';
import type { SectionName } from '#contract/site/content.ts';
import type { SiteDraft } from '#contract/site/draft.ts';
import { Link } from '#web/components/link.tsx';
import { capital } from './capital.ts';
import styles from './draft-problems.module.css';
import { planOf } from './plans/plans.ts';
import { fieldId } from './section-editing.ts';
import { sections } from './sections.ts';
import { fieldsWithProblems, labelAt } from './units.ts';

export const problemsTitleId = 'faltam';

/** What must be corrected before a publication, with links to the fields. */
export function DraftProblems({ draft }: { draft: SiteDraft }) {
  const incomplete = draft.sections.filter(({ problems }) => problems.length > 0);
  return (
    <section className={styles.problems} aria-labelledby={problemsTitleId}>
      <h2 id={problemsTitleId} tabIndex={-1}>
        Antes de publicar, corrija
      </h2>
      {incomplete.map(({ section, problems }) => (
        <div key={section}>
          <h3>{sections[section].label}</h3>
          <ul>
            {linksTo(section, problems).map(({ id, label, message }) => (
              <li key={id}>
                <Link to={`/admin/site/${section}#${id}`}>{label}</Link>
                <span>{`: ${message}`}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** One link for each field. */
function linksTo(section: SectionName, problems: FieldIssue[]) {
  const plan = planOf(section);
  return fieldsWithProblems(plan, problems).map(({ place, message }) => ({
    id: fieldId(place),
    label: capital(labelAt(plan, place)),
    message,
  }));
}
