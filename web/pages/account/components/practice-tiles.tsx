import type { MouseEvent } from 'react';
import type { ActivitySummary } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { Picture, posterTurns } from '#web/components/art/poster.tsx';
import { classNames } from '#web/components/class-names.ts';
import { Link } from '#web/components/link.tsx';
import { PracticeMeta } from '#web/components/practice/practice-meta.tsx';
import styles from './practice-tiles.module.css';

/** Shows practices with their pictures, which lead to their pages. `remove` adds a button to each. */
export function PracticeTiles<Practice extends ActivitySummary>({
  practices,
  small = false,
  remove,
}: {
  practices: readonly Practice[];
  /** Shows small pictures beside the titles. */
  small?: boolean;
  remove?: { label: string; run: (practice: Practice, event: MouseEvent<HTMLButtonElement>) => void };
}) {
  const turns = posterTurns(practices.map(({ axis, id }) => ({ axis, seed: id })));
  return (
    <ul className={classNames(styles.list, small && styles.small)}>
      {practices.map((practice) => (
        <li key={practice.id} data-axis={practice.axis}>
          <Link to={practicePath(practice)} className={styles.practice}>
            <span className={styles.picture}>
              <Picture activity={practice} turn={turns.get(practice.id)} />
            </span>
            <span className={styles.title}>{practice.title}</span>
          </Link>
          <PracticeMeta activity={practice} />
          {remove && (
            <button
              type="button"
              className={styles.remove}
              aria-label={`${remove.label}: ${practice.title}`}
              onClick={(event) => remove.run(practice, event)}
            >
              {remove.label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
