import styles from './danger-note.module.css';

/** Says that nobody watches the diary, and whom to call in danger. */
export const DangerNote = () => (
  <p className={styles.note}>
    Ninguém acompanha este diário em tempo real. Em perigo, ligue <a href="tel:188">188 (CVV)</a> ou{' '}
    <a href="tel:192">192 (SAMU)</a>.
  </p>
);
