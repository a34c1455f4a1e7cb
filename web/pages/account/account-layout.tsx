import { Outlet } from 'react-router';
import type { MuralPlan } from '#web/components/art/draw-mural.ts';
import { Mural } from '#web/components/art/mural.tsx';
import { Logo } from '#web/components/layout/logo.tsx';
import { NavLink } from '#web/components/link.tsx';
import styles from './account-layout.module.css';

const wall: MuralPlan = {
  side: 150,
  columns: 7,
  rows: 9,
  seed: 42,
  flowers: [
    { column: 1, row: 2, tint: 'sage' },
    { column: 3, row: 4, tint: ['clay', 'sand', 'sand', 'sand', 'sand', 'sand'] },
    { column: 0, row: 5, tint: 'deep' },
    { column: 4, row: 1, tint: 'deep' },
    { column: 1, row: 7, tint: 'tone' },
  ],
  quiet: [
    ['tone', 74],
    ['deep', 26],
  ],
};

/** The layout of the sign-in pages: a mural and one form. */
export function Component() {
  return (
    <div className={styles.layout}>
      <div className={styles.art}>
        <Mural plan={wall} />
      </div>
      <main className={styles.form} id="conteudo" tabIndex={-1}>
        <div className={styles.head}>
          <Logo />
          <nav aria-label="Principal">
            <NavLink to="/practices">Práticas</NavLink>
          </nav>
        </div>
        <noscript>
          <p>
            Sem JavaScript este formulário não funciona. <a href="/">Voltar ao início</a>
          </p>
        </noscript>
        <p className={styles.broken} role="alert">
          O formulário não carregou por inteiro. Recarregue a página, ou <a href="/">volte ao início</a>.
        </p>
        <Outlet />
      </main>
    </div>
  );
}
