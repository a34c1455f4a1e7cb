import { useId } from 'react';
import type { ActivitySummary } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Picture, posterTurns } from '#web/components/art/poster.tsx';
import { ButtonLink } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { PracticeMeta } from '#web/components/practice/practice-meta.tsx';
import styles from './other-practices.module.css';
import pageStyles from './practice.module.css';

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

/** The page of a deleted practice. It offers links to other practices. */
export function DeletedPractice({ others }: { others: readonly ActivitySummary[] }) {
  return (
    <div className={pageStyles.page}>
      <PageTitle title="Prática retirada" />
      <header className={styles.message}>
        <Hexaflex lit={0} className={styles.mark} />
        <h1 className="page-title">Esta prática saiu da biblioteca.</h1>
        <p className="lead">Quem cuida do site a retirou. As outras continuam aqui.</p>
        <ButtonLink to="/practices">Ver todas as práticas</ButtonLink>
      </header>
      <OtherPractices practices={others} title="Talvez uma destas" />
    </div>
  );
}
