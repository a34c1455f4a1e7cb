import type { ReactNode } from 'react';
import styles from './title-bar.module.css';

/** The first row of a list page: title, search and actions. */
export function TitleBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
