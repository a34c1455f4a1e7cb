import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from 'react-router';
import { authPaths } from '#contract/auth-paths.ts';
import type { SignInMethods } from '#contract/user.ts';
import {
  awaitOutcome,
  type GoogleOutcome,
  googleMessages,
  isInAppBrowser,
  messageOf,
  openGoogleWindow,
} from '#web/app/google-window.ts';
import { landingOf } from '#web/app/guards.ts';
import { servicesContext, useServices } from '#web/app/services-context.ts';
import { Button } from '#web/components/button.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import { GoogleMark } from './google-mark.tsx';
import styles from './google-sign-in.module.css';

/** How long a form waits for the sign-in methods before it appears without them. */
const methodsMs = 3_000;

const passwordOnly: SignInMethods = { google: false };

/** The loader of a page with this component. The form appears after it, so that the layout does not shift. */
export async function loadMethods({ context, request }: LoaderFunctionArgs): Promise<SignInMethods> {
  const { auth } = context.get(servicesContext).client;
  return Promise.race([
    // The form works without this answer, and reports errors when it is sent.
    auth.findMethods(request.signal).catch(() => passwordOnly),
    new Promise<SignInMethods>((resolve) => setTimeout(resolve, methodsMs, passwordOnly)),
  ]);
}

/** The sign-in with Google, below a form. */
export function GoogleSignIn() {
  const inApp = useInAppBrowser();
  return (
    <section className={styles.other} aria-label="Entrar com o Google">
      <p className={styles.or}>ou</p>
      {inApp ? (
        <p className={styles.inApp}>
          Para entrar com o Google, abra esta página no navegador do telefone: dentro deste aplicativo o
          Google não deixa. Email e senha funcionam aqui também.
        </p>
      ) : (
        <GoogleButton />
      )}
    </section>
  );
}

/** Known only in the browser: a prerendered page starts with the button. */
const useInAppBrowser = () =>
  useSyncExternalStore(
    () => () => {},
    () => isInAppBrowser(navigator.userAgent),
    () => false,
  );

function GoogleButton() {
  const { session } = useServices();
  const navigate = useNavigate();
  const scripted = useHydrated();
  const [search] = useSearchParams();
  const popup = useRef<Window>(undefined);
  const [at, setAt] = useState<'rest' | 'popup' | 'last-step'>('rest');
  const [message, setMessage] = useState('');
  // In an effect, because the prerendered page has no message and hydration must match it.
  useEffect(() => setMessage(messageOf(search)), [search]);

  async function finish(outcome: GoogleOutcome) {
    popup.current = undefined;
    if (outcome !== 'signed-in') {
      setMessage(googleMessages[outcome]);
      setAt('rest');
      return;
    }
    setAt('last-step');
    try {
      const settled = await session.refresh();
      if (settled.status !== 'signed-in') throw new Error('After the sign-in, this page has no session.');
      await navigate(landingOf(settled, search), { replace: true });
    } catch (error) {
      console.error(error);
      setMessage(googleMessages.falhou);
      setAt('rest');
    }
  }
  const latestFinish = useRef(finish);
  useEffect(() => {
    latestFinish.current = finish;
  });

  // Only the page that opened the window may act on its result, not another tab with this form.
  const stopWaiting = useRef<() => void>(undefined);
  useEffect(() => () => stopWaiting.current?.(), []);

  // A window that the user closes sends no result. But after a visit to another site, an open window may look
  // closed. So keep the channel open, and let the user press the button again.
  useEffect(() => {
    if (at !== 'popup') return;
    const watch = setInterval(() => {
      if (popup.current?.closed) setAt('rest');
    }, 300);
    return () => clearInterval(watch);
  }, [at]);

  function press() {
    if (at === 'last-step') return;
    setMessage('');
    if (at === 'popup' && popup.current && !popup.current.closed) {
      popup.current.focus();
      return;
    }
    popup.current = openGoogleWindow();
    if (!popup.current) {
      window.location.assign(authPaths.google);
      return;
    }
    stopWaiting.current ??= awaitOutcome((outcome) => void latestFinish.current(outcome));
    setAt('popup');
  }

  return (
    <>
      <FormMessage message={message} />
      <Button
        className={styles.button}
        variant="quiet"
        disabled={!scripted}
        aria-disabled={at === 'last-step' || undefined}
        onClick={press}
      >
        <GoogleMark />
        {at === 'last-step' ? 'Entrando…' : 'Entrar com Google'}
      </Button>
      <p className={styles.waiting} role="status">
        {at === 'popup' && 'Continue na janela do Google.'}
      </p>
    </>
  );
}
