import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { Button, ButtonLink } from './button.tsx';
import { FormMessage } from './form.tsx';
import { Hexaflex } from './hexaflex.tsx';
import styles from './letter-link.module.css';
import { PageTitle } from './page-title.tsx';

/**
 * Where a link of the letter's mails leads. The token is the fragment, which no server's log sees; nothing
 * happens before the person presses, because mail programs open links by themselves.
 */
export function LetterLink({
  title,
  question,
  action,
  done,
  send,
}: {
  title: string;
  question: string;
  action: string;
  done: ReactNode;
  send: (token: string) => Promise<void>;
}) {
  const token = useLocation().hash.slice(1);
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking');
  const [failure, setFailure] = useState('');
  const answer = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (state === 'done') answer.current?.focus();
  }, [state]);

  async function press() {
    if (state === 'sending') return;
    setState('sending');
    setFailure('');
    try {
      await send(token);
      setState('done');
    } catch (error) {
      console.error(error);
      setState('asking');
      setFailure(
        error instanceof ClientError ? error.message : 'Algo deu errado. Tente de novo em instantes.',
      );
    }
  }

  return (
    <section className={styles.letter}>
      <PageTitle title={title} />
      <Hexaflex lit={state === 'done' ? 6 : 1} className={styles.mark} />
      <h1>{title}</h1>
      {state === 'done' ? (
        <>
          <p ref={answer} tabIndex={-1} role="status" className={styles.text}>
            {done}
          </p>
          <ButtonLink to="/" variant="quiet">
            Voltar ao início
          </ButtonLink>
        </>
      ) : (
        <>
          <p className={styles.text}>
            {token === ''
              ? 'O link veio incompleto. Copie o endereço inteiro que está na mensagem.'
              : question}
          </p>
          <FormMessage message={failure} />
          {token !== '' && (
            <Button aria-disabled={state === 'sending' || undefined} onClick={press}>
              {state === 'sending' ? 'Um momento…' : action}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
