import { type ReactNode, Suspense } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { useChosenUid } from '#web/app/services.ts';
import { Footer } from './footer.tsx';
import { Loading } from './messages.tsx';
import styles from './site-layout.module.css';
import { TopBar } from './top-bar.tsx';

/** Only for devices on which a user has chosen use without network. */
const Unsent = lazyComponent('offline/unsent', async () => (await import('#web/offline/unsent.tsx')).Unsent);

/** The layout of public pages: top bar, page and footer. Without `children`, it shows the child route. */
export function SiteLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  // Only a navigation to /pro shows `Loading`. In other navigations, the current page stays until the next
  // page is loaded.
  const toMembers = useNavigation().location?.pathname === '/pro';
  const chosen = useChosenUid() !== undefined;
  return (
    <div className={styles.layout}>
      <SkipLink />
      <TopBar />
      {chosen && (
        <Suspense>
          <Unsent />
        </Suspense>
      )}
      <main className={styles.main} id="conteudo" tabIndex={-1}>
        {toMembers ? <Loading /> : children}
      </main>
      <Footer />
    </div>
  );
}

/** The first link of a page. It skips the navigation, and is visible only while it has the focus. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#conteudo">
      Ir para o conteúdo
    </a>
  );
}
