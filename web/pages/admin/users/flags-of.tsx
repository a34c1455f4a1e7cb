import { type ListedUser, roleName } from '#contract/user.ts';
import { useClinicians } from '../components/clinicians.ts';
import styles from './flags-of.module.css';

/** A user's role and flags, as small labels. */
export function FlagsOf({ user: { id, member, staff, research } }: { user: ListedUser }) {
  const readsDiaries = useClinicians().some(({ uid }) => uid === id);
  return (
    <span className={styles.flags}>
      <span
        className={styles.flag}
        data-strong={member === 'admin' || undefined}
        data-none={!member || undefined}
      >
        {roleName(member)}
      </span>
      {readsDiaries && <span className={styles.flag}>Lê diários</span>}
      {staff && <span className={styles.flag}>Equipe</span>}
      {research && <span className={styles.flag}>Pesquisa</span>}
    </span>
  );
}
