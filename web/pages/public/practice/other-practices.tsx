import { useId } from 'react';
import type { ActivitySummary } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { Picture, posterTurns } from '#web/components/art/poster.tsx';
import { classNames } from '#web/components/class-names.ts';
import { Link } from '#web/components/link.tsx';
import { PracticeMeta } from '#web/components/practice/practice-meta.tsx';
import styles from './other-practices.module.css';

/** Links to a few practices, with their pictures. */
export function OtherPractices({
  practices,
  title,
  className,
}: {
  practices: readonly ActivitySummary[];
  title: string;
  className?: string | undefined;
}) {
  const id = useId();
  if (practices.length === 0) return null;
  const turns = posterTurns(practices.map((practice) => ({ axis: practice.axis, seed: practice.id })));
  return (
    <section className={classNames(styles.others, className)} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={styles.list}>
        {practices.map((practice) => (
          <li key={practice.id} data-axis={practice.axis}>
            <Link to={practicePath(practice)}>
              <span className={styles.picture}>
                <Picture activity={practice} turn={turns.get(practice.id)} />
              </span>
              <span className={styles.title}>{practice.title}</span>
            </Link>
            <PracticeMeta activity={practice} />
          </li>
        ))}
      </ul>
    </section>
  );
}
