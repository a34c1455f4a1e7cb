import type { ReactNode } from 'react';
import { ButtonLink } from './button.tsx';
import styles from './error-view.module.css';
import { Hexaflex } from './hexaflex.tsx';
import { PageTitle } from './page-title.tsx';

/** The error page: what happened, in one sentence, and the way home. */
export function ErrorView({ children }: { children: ReactNode }) {
  return (
    <section className={styles.error}>
      <PageTitle title="Unexpected Application Error!" />
      <Hexaflex lit={1} className={styles.mark} />
      <h1>Unexpected Application Error!</h1>
      <p className={styles.text}>{children}</p>
      <p>
        <ButtonLink to="/">Voltar ao início</ButtonLink>
      </p>
    </section>
  );
}
