import type { ListedUser, Member } from '#contract/user.ts';
import styles from './flags-of.module.css';

/** The name of a role. */
export function roleName(member: Member) {
  if (member === 'admin') return 'Administração';
  return member ? 'Membro' : 'Paciente';
}

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
