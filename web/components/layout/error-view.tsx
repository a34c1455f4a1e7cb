import type { ReactNode } from 'react';
import { Hexaflex } from '../art/hexaflex.tsx';
import { Button, ButtonLink } from '../button.tsx';
import styles from './error-view.module.css';
import { PageTitle } from './page-title.tsx';

/** The error page: one sentence about the error, a link home and, if it may help, a retry button. */
export function ErrorView({
  title = 'Unexpected Application Error!',
  children,
  again,
}: {
  title?: string;
  children: ReactNode;
  again?: () => void;
}) {
  return (
    <section className={styles.error}>
      <PageTitle title={title} />
      <Hexaflex lit={1} className={styles.mark} />
      <h1>{title}</h1>
      <p className={styles.text}>{children}</p>
      <div className={styles.ways}>
        {again && <Button onClick={again}>Tentar de novo</Button>}
        <ButtonLink to="/" variant={again ? 'quiet' : undefined}>
          Voltar ao início
        </ButtonLink>
      </div>
    </section>
  );
}
