import type { ReactNode } from 'react';
import { Hexaflex } from '../art/hexaflex.tsx';
import { Button, ButtonAnchor, ButtonLink } from '../button.tsx';
import styles from './messages.module.css';
import { PageTitle } from './page-title.tsx';

/** The layout of a page that only shows a message: a flower with `lit` petals, then the message. */
export function MessagePage({ lit, children }: { lit: number; children: ReactNode }) {
  return (
    <section className={styles.page}>
      <Hexaflex lit={lit} className={styles.mark} />
      {children}
    </section>
  );
}

/** A page about an error: a short text, a link home and, if a retry can help, a retry button. */
export function ErrorView({
  title,
  quoted = true,
  children,
  again,
  reloadsHome = false,
}: {
  title: string;
  /** True to show, at the end, the words that the specification gives for the error page. */
  quoted?: boolean;
  children: ReactNode;
  again?: () => void;
  /** True if code is missing: browsers remember a failed import until the next document. */
  reloadsHome?: boolean;
}) {
  return (
    <MessagePage lit={1}>
      <PageTitle title={title} />
      <h1>{title}</h1>
      <p className="lead">{children}</p>
      <div className={styles.actions}>
        {again && <Button onClick={again}>Tentar de novo</Button>}
        {reloadsHome ? (
          <ButtonAnchor href="/" variant="quiet">
            Voltar ao início
          </ButtonAnchor>
        ) : (
          <ButtonLink to="/" variant={again ? 'quiet' : undefined}>
            Voltar ao início
          </ButtonLink>
        )}
      </div>
      {quoted && (
        <p className={styles.english} lang="en">
          Unexpected Application Error!
        </p>
      )}
    </MessagePage>
  );
}

/** Shown while a page, the session or the user record is loading. */
export function Loading() {
  return (
    <div className={styles.loading} role="status">
      <Hexaflex lit={0} className={styles.loadingMark} />
      <p className={styles.text}>
        <Quoted english="Loading...">Carregando…</Quoted>
      </p>
      <noscript>
        <p>
          Esta página precisa de JavaScript. <a href="/">Voltar ao início</a>
        </p>
      </noscript>
    </div>
  );
}

/** The message that replaces a list that is empty or could not be loaded. */
export function DashedMessage({
  headline,
  role,
  children,
}: {
  headline: string;
  role?: 'alert';
  children: ReactNode;
}) {
  return (
    <div className={styles.message} role={role}>
      <Hexaflex lit={0} className={styles.dashedMark} />
      <p className={styles.headline}>{headline}</p>
      {children}
    </div>
  );
}

/** Shows a sentence in Portuguese and, in smaller text, the English words that the specification quotes. */
export const Quoted = ({ english, children }: { english: string; children: ReactNode }) => (
  <>
    <span>{children}</span>{' '}
    <small className={styles.english} lang="en">
      {english}
    </small>
  </>
);
