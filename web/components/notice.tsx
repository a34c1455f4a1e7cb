import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** Something to know before going on, and what can be done about it. */
export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.notice} role="status">
      <p>{children}</p>
      {action}
    </div>
  );
}
