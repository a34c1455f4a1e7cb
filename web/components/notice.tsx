import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A message in the page that the user should read before continuing, with an optional action. */
export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.notice} role="status">
      <p>{children}</p>
      {action}
    </div>
  );
}
