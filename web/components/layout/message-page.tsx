import type { ReactNode } from 'react';
import { Hexaflex } from '../art/hexaflex.tsx';
import styles from './message-page.module.css';

/** The layout of a page that only shows a message: a flower with `lit` petals, then the message. */
export function MessagePage({ lit, children }: { lit: number; children: ReactNode }) {
  return (
    <section className={styles.page}>
      <Hexaflex lit={lit} className={styles.mark} />
      {children}
    </section>
  );
}
