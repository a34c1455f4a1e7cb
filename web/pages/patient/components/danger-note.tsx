import styles from './danger-note.module.css';

/** Says that nobody watches what a patient writes, and whom to call in danger. @param what names it */
export const DangerNote = ({ what = 'este diário' }: { what?: string }) => (
  <p className={styles.note}>
    <span>{`Ninguém acompanha ${what} em tempo real.`}</span> Em perigo, ligue <a href="tel:188">188 (CVV)</a>{' '}
    ou <a href="tel:192">192 (SAMU)</a>.
  </p>
);
