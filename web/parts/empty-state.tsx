import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Hexaflex } from './hexaflex.tsx';

/** Says that there is nothing here, and what to do about it. */
export function EmptyState({ children }: { children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Hexaflex lit={0} className={styles.mark} />
      <p>{children}</p>
    </div>
  );
}
