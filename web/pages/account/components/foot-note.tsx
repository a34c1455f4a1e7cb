import type { ReactNode } from 'react';
import styles from './foot-note.module.css';

/** The quiet line under a form that leads elsewhere. */
export function FootNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}
