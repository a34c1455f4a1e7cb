import type { ReactNode } from 'react';
import styles from './foot-note.module.css';

/** The line of links under a form. */
export function FootNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}
