import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { Footer } from './footer.tsx';
import styles from './frame.module.css';
import { TopBar } from './top-bar.tsx';

/** Top bar, the page, footer. As a route's component it shows the route below. */
export function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#conteudo">
        Ir para o conteúdo
      </a>
      <TopBar />
      <main className={styles.main} id="conteudo" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
