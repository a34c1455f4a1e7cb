import type { ReactNode } from 'react';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import styles from './empty-state.module.css';

/** Says that a list is empty, and what the user can do. */
export function EmptyState({ children }: { children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Hexaflex lit={0} className={styles.mark} />
      <p>{children}</p>
    </div>
  );
}
