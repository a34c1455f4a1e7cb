import type { ReactNode } from 'react';
import { Hexaflex } from '../art/hexaflex.tsx';
import styles from './dashed-message.module.css';

/** The message that replaces a list that is empty or could not be loaded. */
export function DashedMessage({
  headline,
  role,
  children,
}: {
  headline: string;
  role?: 'alert';
  children: ReactNode;
}) {
  return (
    <div className={styles.message} role={role}>
      <Hexaflex lit={0} className={styles.mark} />
      <p className={styles.headline}>{headline}</p>
      {children}
    </div>
  );
}
