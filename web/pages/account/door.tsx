import { Outlet } from 'react-router';
import { Logo } from '#web/parts/logo.tsx';
import styles from './door.module.css';

/** The way in and out of an account: a quiet wall of tiles, and one form beside it. */
export function Component() {
  return (
    <div className={styles.door}>
      <div className={styles.art} />
      <main className={styles.form} id="conteudo" tabIndex={-1}>
        <Logo />
        <Outlet />
      </main>
    </div>
  );
}
