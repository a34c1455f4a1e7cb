import type { ReactNode } from 'react';
import styles from './quoted.module.css';

/** Shows a sentence in Portuguese and, in smaller text, the English words that the specification quotes. */
export const Quoted = ({ english, children }: { english: string; children: ReactNode }) => (
  <>
    <span>{children}</span>{' '}
    <small className={styles.english} lang="en">
      {english}
    </small>
  </>
);
