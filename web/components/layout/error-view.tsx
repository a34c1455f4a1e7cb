import type { ReactNode } from 'react';
import { Button, ButtonLink } from '../button.tsx';
import { Quoted } from '../quoted.tsx';
import styles from './error-view.module.css';
import { MessagePage } from './message-page.tsx';
import { PageTitle } from './page-title.tsx';

/** A page about an error: a short text, a link home and, if a retry can help, a retry button. */
export function ErrorView({
  title,
  quoted = true,
  children,
  again,
}: {
  title: string;
  /** True to show, after the title, the headline that the specification gives for the error page. */
  quoted?: boolean;
  children: ReactNode;
  again?: () => void;
}) {
  return (
    <MessagePage lit={1}>
      <PageTitle title={title} />
      <h1>{quoted ? <Quoted english="Unexpected Application Error!">{title}</Quoted> : title}</h1>
      <p className="lead">{children}</p>
      <div className={styles.actions}>
        {again && <Button onClick={again}>Tentar de novo</Button>}
        <ButtonLink to="/" variant={again ? 'quiet' : undefined}>
          Voltar ao início
        </ButtonLink>
      </div>
    </MessagePage>
  );
}
