import type { Counts } from '#contract/activity.ts';
import { wholeNumber } from '#web/components/whole-number.ts';
import styles from './page-parts.module.css';

/** Says how many users, without the team, signed up lately. */
export function NewUsers({ counts: { in7Days, in30Days } }: { counts: NonNullable<Counts['newUsers']> }) {
  return (
    <p className={styles.news}>
      <span>Novas pessoas, sem a equipe: </span>
      <strong>{wholeNumber(in7Days)}</strong>
      <span> em 7 dias · </span>
      <strong>{wholeNumber(in30Days)}</strong>
      <span> em 30 dias</span>
    </p>
  );
}
