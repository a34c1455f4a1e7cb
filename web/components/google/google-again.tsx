import { useEffect, useState } from 'react';
import { client } from '#web/app/client.ts';
import { isInAppBrowser } from '#web/app/google-window.ts';
import { GoogleButton } from './google-button.tsx';

/** The Google button in the dialog `SignInAgain`, mainly for users who have no password. */
export function GoogleAgain({ onDone }: { onDone: () => void }) {
  const [available, setAvailable] = useState(false);
  useEffect(() => {
    if (isInAppBrowser(navigator.userAgent)) return;
    const stop = new AbortController();
    // Ignore a failure: the dialog then shows only its form for a password.
    client.auth.findMethods(stop.signal).then(
      ({ google }) => setAvailable(google),
      () => {},
    );
    return () => stop.abort();
  }, []);
  return (
    available && <GoogleButton label="Entrar com Google" working="Entrando…" onSignedIn={onDone} stays />
  );
}
