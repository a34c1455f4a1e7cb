import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { Await, useAsyncError, useRevalidator } from 'react-router';
import { messageOf } from '#client/client-error.ts';
import { isCodeMissing, reloadPage } from '../app/reload-after-deploy.ts';
import { Button } from './button.tsx';
import styles from './deferred.module.css';
import { isSignedOutError, SignInAgain } from './form/sign-in-again.tsx';

/** Lets a loader return `value` without waiting for it. `Deferred` shows the result or the error. */
export function deferred<T>(value: Promise<T>): Promise<T> {
  // Avoid an unhandled rejection if the promise rejects before the page handles the rejection.
  value.catch(() => {});
  return value;
}

/** Shows a skeleton while a promise is pending, then its content, or the error with a retry button. */
export function Deferred<T>({
  value,
  skeleton,
  retry,
  children,
}: {
  value: Promise<T>;
  skeleton: ReactNode;
  /** Fetches the value again. Without this function, a retry runs the loaders of the page. */
  retry?: () => void;
  children: (value: T) => ReactNode;
}) {
  return (
    <Suspense
      fallback={
        <div aria-busy="true">
          <p className="visually-hidden">Carregando…</p>
          {skeleton}
        </div>
      }
    >
      <Await resolve={value} errorElement={<LoadFailure retry={retry} />}>
        {(loaded) => children(loaded as T)}
      </Await>
    </Suspense>
  );
}

function LoadFailure({ retry }: { retry: (() => void) | undefined }) {
  const error = useAsyncError();
  const message = useMemo(() => messageOf(error), [error]);
  const revalidator = useRevalidator();
  const [triedAfter, setTriedAfter] = useState<unknown>();
  const [signingIn, setSigningIn] = useState(false);
  const trying = triedAfter === error;

  function tryAgain() {
    setSigningIn(false);
    setTriedAfter(error);
    if (isCodeMissing(error)) return reloadPage();
    if (retry) retry();
    else void revalidator.revalidate();
  }

  return (
    <>
      <div className={styles.failure} role="alert">
        <p>{message}</p>
        {isSignedOutError(error) && !trying ? (
          <Button variant="danger" size="small" onClick={() => setSigningIn(true)}>
            Entrar de novo
          </Button>
        ) : (
          <Button variant="danger" size="small" aria-disabled={trying || undefined} onClick={tryAgain}>
            {trying ? 'Tentando…' : 'Tentar de novo'}
          </Button>
        )}
      </div>
      {signingIn && <SignInAgain onDone={tryAgain} onCancel={() => setSigningIn(false)} />}
    </>
  );
}

/** The decorative placeholder of a line of text that is loading. */
export function SkeletonBar({ width = 'medium' }: { width?: 'short' | 'medium' | 'full' }) {
  return <span className={styles.bar} data-width={width} aria-hidden="true" />;
}
