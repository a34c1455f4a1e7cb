import type { ReactNode } from 'react';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import styles from './page-parts.module.css';

/** The first row of a list page: title, search and actions. */
export function TitleBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}

/** Says that a list is empty, and what the user can do. */
export function EmptyState({ children }: { children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Hexaflex lit={0} className={styles.mark} />
      <p>{children}</p>
    </div>
  );
}

/** The last row of a form, which stays at the bottom of the window. */
export function SaveBar({
  actions,
  children,
}: {
  actions: ReactNode /** Sentences about the form's state. */;
  children: ReactNode;
}) {
  return (
    <div className={styles.save}>
      <div className={styles.actions}>{actions}</div>
      {children}
    </div>
  );
}
