import type { ReactNode } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { Footer } from './footer.tsx';
import { Loading } from './loading.tsx';
import styles from './site-layout.module.css';
import { TopBar } from './top-bar.tsx';

/** Top bar, the page, footer. As a route's component it shows the route below. */
export function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  // Everywhere else the page before stays in view until the next is there.
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
