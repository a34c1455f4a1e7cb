import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { isCodeMissing, reloadIfReplaced } from '#web/app/reload-after-deploy.ts';
import { useServices } from '#web/app/services-context.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import styles from './newsletter-link.module.css';

/**
 * The page of a newsletter's mailed link. The token is in the fragment, which browsers do not send to
 * servers.
 * It waits for a click, because mail programs open links automatically.
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
  const { client } = useServices();
  const token = useLocation().hash.slice(1);
  const [state, setState] = useState<'asking' | 'sending' | 'done' | 'ended'>('asking');
  const [failure, setFailure] = useState('');
  const answer = useRef<HTMLParagraphElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    client.prepare().catch(() => {});
  }, [client]);
  useEffect(() => {
    // The pressed button is gone, so the focus moves to the answer.
    if (state === 'done') answer.current?.focus();
    if (state === 'ended') heading.current?.focus();
  }, [state]);

  async function press() {
    if (state === 'sending') return;
    setState('sending');
    setFailure('');
    try {
      await send(token);
      setState('done');
    } catch (error) {
      if (isCodeMissing(error) && (await reloadIfReplaced())) return;
      const known = error instanceof ClientError ? error : undefined;
      if (!known) console.error(error);
      setState(known?.code === 'auth/invalid-link' ? 'ended' : 'asking');
      setFailure(known?.message ?? 'Algo deu errado. Tente de novo em instantes.');
    }
  }

  return (
    <section className={styles.letter}>
      <PageTitle title={title} />
      <Hexaflex lit={state === 'done' ? 6 : 1} className={styles.mark} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
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
          {state !== 'ended' && (
            <p className={styles.text}>
              {token === ''
                ? 'O link veio incompleto. Copie o endereço inteiro que está na mensagem.'
                : question}
            </p>
          )}
          <FormMessage message={failure} />
          {state === 'ended' || token === '' ? (
            <ButtonLink to="/#carta" variant="quiet">
              Ver o formulário da carta
            </ButtonLink>
          ) : (
            <Button aria-disabled={state === 'sending' || undefined} onClick={press}>
              {state === 'sending' ? 'Um momento…' : action}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
