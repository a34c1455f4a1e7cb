import { type ListedUser, roleName } from '#contract/user.ts';
import styles from './flags-of.module.css';

/** A user's role and flags, as small labels. */
export function FlagsOf({ user: { member, staff, research } }: { user: ListedUser }) {
  return (
    <span className={styles.flags}>
      <span
        className={styles.flag}
        data-strong={member === 'admin' || undefined}
        data-none={!member || undefined}
      >
        {roleName(member)}
      </span>
      {staff && <span className={styles.flag}>Equipe</span>}
      {research && <span className={styles.flag}>Pesquisa</span>}
    </span>
  );
}
