import { Outlet } from 'react-router';
import { useSession } from '#web/app/services.ts';
import { userOf } from '#web/app/session.ts';
import { SkipLink } from '#web/components/layout/site-layout.tsx';
import { UserMenu } from '#web/components/layout/user-menu.tsx';
import styles from './admin-layout.module.css';
import { Breadcrumbs } from './components/breadcrumbs.tsx';
import { useFreshClinicians } from './components/clinicians.ts';
import { Shortcuts } from './components/shortcuts.tsx';
import { Sidebar, SiteLinks } from './components/sidebar.tsx';

/** The layout of the admin area. It shows a sidebar, a header with the user menu, and the page. */
export function Component() {
  useFreshClinicians();
  const staff = userOf(useSession())?.staff ?? false;
  return (
    <div className={styles.layout}>
      <SkipLink />
      <div className={styles.sidebar}>
        <Sidebar staff={staff} />
      </div>
      {/* In a narrow window, the sidebar's button is in the same row, and its drawer has the links to the site. */}
      <header className={styles.header}>
        <nav className={styles.site} aria-label="Site">
          <SiteLinks />
        </nav>
        <Shortcuts />
        <UserMenu />
      </header>
      <main className={styles.main} id="conteudo" tabIndex={-1}>
        <Breadcrumbs />
        <Outlet />
      </main>
    </div>
  );
}
