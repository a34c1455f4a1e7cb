import { useCallback, useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { isCodeMissing, reloadPage } from '#web/app/reload-after-deploy.ts';
import { Button } from '#web/components/button.tsx';
import { DashedMessage } from '#web/components/layout/messages.tsx';

/** The reason why practices could not be loaded. `problem` is the message for the reader. */
export type LoadFailure = { problem: string; codeMissing: boolean };

/** Converts a `ClientError` of a loader into a failure that the page can show. @throws every other error */
export function failureOf(error: unknown): LoadFailure {
  if (error instanceof ClientError) return { problem: error.message, codeMissing: isCodeMissing(error) };
  throw error;
}

/** Says that practices could not be loaded, with a button that loads them again. */
export function Problem({ problem, codeMissing }: LoadFailure) {
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
    <DashedMessage headline="As práticas não puderam ser carregadas." role="alert">
      <p>{problem}</p>
      <Button variant="quiet" disabled={state === 'loading'} onClick={again}>
        Tentar de novo
      </Button>
    </DashedMessage>
  );
}
