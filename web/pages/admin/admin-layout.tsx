import { Outlet } from 'react-router';
import { useSession } from '#web/app/services.ts';
import { userOf } from '#web/app/session.ts';
import { Logo } from '#web/components/layout/logo.tsx';
import { SkipLink } from '#web/components/layout/site-layout.tsx';
import { UserMenu } from '#web/components/layout/user-menu.tsx';
import { Link } from '#web/components/link.tsx';
import styles from './admin-layout.module.css';
import { Breadcrumbs } from './components/breadcrumbs.tsx';
import { Shortcuts } from './components/shortcuts.tsx';
import { Sidebar } from './components/sidebar.tsx';

/** The layout of the admin area. It shows a sidebar, a header with the user menu, and the page. */
export function Component() {
  const staff = userOf(useSession())?.staff ?? false;
  return (
    <div className={styles.layout}>
      <SkipLink />
      <header className={styles.header}>
        <div className={styles.logo}>
          <Logo />
        </div>
        <div className={styles.tools}>
          <nav className={styles.site} aria-label="Site">
            <Link to="/">Ver o site</Link>
            <Link to="/practices">Práticas</Link>
          </nav>
          <Shortcuts />
          <UserMenu />
        </div>
      </header>
      <div className={styles.sidebar}>
        <Sidebar staff={staff} />
      </div>
      <main className={styles.main} id="conteudo" tabIndex={-1}>
        <Breadcrumbs />
        <Outlet />
      </main>
    </div>
  );
}
