import type { ReactNode } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { Footer } from './footer.tsx';
import { Loading } from './loading.tsx';
import styles from './site-layout.module.css';
import { TopBar } from './top-bar.tsx';

/** The layout of public pages: top bar, page, footer. As a route's component it shows the child route. */
export function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  // For all other navigations, the previous page stays visible until the next one is loaded.
  const toMembers = useNavigation().location?.pathname === '/pro';
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#conteudo">
        Ir para o conteúdo
      </a>
      <TopBar />
      <main className={styles.main} id="conteudo" tabIndex={-1}>
        {toMembers ? <Loading /> : children}
      </main>
      <Footer />
    </div>
  );
}
