import { Hexaflex } from '../art/hexaflex.tsx';
import { Quoted } from '../quoted.tsx';
import styles from './loading.module.css';

/** Shown while a page, the session or the user record is loading. */
export function Loading() {
  return (
    <div className={styles.loading} role="status">
      <Hexaflex lit={0} className={styles.mark} />
      <p className={styles.text}>
        <Quoted english="Loading...">Carregando…</Quoted>
      </p>
      <noscript>
        <p>
          Esta página precisa de JavaScript. <a href="/">Voltar ao início</a>
        </p>
      </noscript>
    </div>
  );
}
