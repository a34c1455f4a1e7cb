import type { ReactNode } from 'react';
import styles from './quoted.module.css';

/** A sentence in Portuguese, then the English words that the specification quotes for it, smaller. */
export const Quoted = ({ english, children }: { english: string; children: ReactNode }) => (
  <>
    {children}{' '}
    <small className={styles.english} lang="en">
      {english}
    </small>
  </>
);
