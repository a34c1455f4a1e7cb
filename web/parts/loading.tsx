import { Hexaflex } from './hexaflex.tsx';
import styles from './loading.module.css';

/** What stands in while a page, the session or the user record is on its way. */
export function Loading() {
  return (
    <div className={styles.loading} role="status">
      <Hexaflex lit={0} className={styles.mark} />
      <p>Loading...</p>
    </div>
  );
}
