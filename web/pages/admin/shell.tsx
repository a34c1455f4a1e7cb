import { Outlet } from 'react-router';
import { Breadcrumbs } from '#web/parts/breadcrumbs.tsx';
import { Logo } from '#web/parts/logo.tsx';
import { Shortcuts } from '#web/parts/shortcuts.tsx';
import { Sidebar } from '#web/parts/sidebar.tsx';
import { UserMenu } from '#web/parts/user-menu.tsx';
import { userOf, useSession } from '#web/session.ts';
import styles from './shell.module.css';

/** The desk of the administration: sidebar, a line with the settings menu, the page. */
export function Component() {
  const staff = userOf(useSession())?.staff ?? false;
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#conteudo">
        Ir para o conteúdo
      </a>
      <header className={styles.top}>
        <div className={styles.logo}>
          <Logo />
        </div>
        <div className={styles.tools}>
          <Shortcuts />
          <UserMenu />
        </div>
      </header>
      <div className={styles.side}>
        <Sidebar staff={staff} />
      </div>
      <main className={styles.main} id="conteudo" tabIndex={-1}>
        <Breadcrumbs />
        <Outlet />
      </main>
    </div>
  );
}
