import { useCallback, useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { isCodeMissing, reloadPage } from '#web/app/reload-after-deploy.ts';
import { Button } from '#web/components/button.tsx';
import { DashedMessage } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';

/** The reason why practices could not be loaded. `problem` is the message for the reader. */
export type LoadFailure = { problem: string; codeMissing: boolean };

/** Converts a `ClientError` of a loader into a failure that the page can show. @throws every other error */
export function failureOf(error: unknown): LoadFailure {
  if (error instanceof ClientError) return { problem: error.message, codeMissing: isCodeMissing(error) };
  throw error;
}

/**
 * Says that practices or a page could not be loaded, with a button that loads them again.
 * @param title the title and heading, if the page shows nothing else
 */
export function Problem({ problem, codeMissing, title }: LoadFailure & { title?: string }) {
  const { revalidate, state } = useRevalidator();
  const again = useCallback(() => {
    // Some browsers do not retry a failed module until the page is reloaded.
    if (codeMissing) reloadPage();
    else void revalidate();
  }, [codeMissing, revalidate]);
  useEffect(() => {
    // When the browser is online again, retry without waiting for a click.
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [again]);
  return (
    <>
      {title !== undefined && (
        <>
          <PageTitle title={title} />
          <h1 className="visually-hidden">{title}</h1>
        </>
      )}
      <DashedMessage
        headline={title === undefined ? 'As práticas não puderam ser carregadas.' : 'Esta página não abriu.'}
        role="alert"
      >
        <p>{problem}</p>
        <Button variant="quiet" disabled={state === 'loading'} onClick={again}>
          Tentar de novo
        </Button>
      </DashedMessage>
    </>
  );
}
