import { useSyncExternalStore } from 'react';
import type { LoaderFunctionArgs } from 'react-router';
import type { SignInMethods } from '#contract/user.ts';
import { isInAppBrowser } from '#web/app/google-window.ts';
import { servicesContext } from '#web/app/services-context.ts';
import { GoogleButton } from '#web/components/google/google-button.tsx';
import styles from './google-sign-in.module.css';

/**
 * How long the page waits for the list of sign-in methods, in milliseconds. After that, the form appears
 * without the sign-in with Google.
 */
const methodsMs = 3_000;

const passwordOnly: SignInMethods = { google: false };

/** The loader of a page with `GoogleSignIn`. The page waits for it, so that the layout does not shift. */
export async function loadMethods({ context, request }: LoaderFunctionArgs): Promise<SignInMethods> {
  const { auth } = context.get(servicesContext).client;
  return Promise.race([
    // The form works without this response. If the server fails, a submit of the form reports it.
    auth.findMethods(request.signal).catch(() => passwordOnly),
    new Promise<SignInMethods>((resolve) => setTimeout(resolve, methodsMs, passwordOnly)),
  ]);
}

/** The sign-in with Google, below a form. */
export function GoogleSignIn() {
  const inApp = useInAppBrowser();
  return (
    <section className={styles.google} aria-label="Entrar com o Google">
      <p className={styles.divider}>ou</p>
      {inApp ? (
        <p className={styles.inApp}>
          Para entrar com o Google, abra esta página no navegador do telefone: dentro deste aplicativo o
          Google não deixa. E-mail e senha funcionam aqui também.
        </p>
      ) : (
        <GoogleButton label="Entrar com Google" working="Entrando…" />
      )}
    </section>
  );
}

/**
 * True in the built-in browser of another app. False until hydration, because prerendered HTML is the same
 * for all browsers.
 */
const useInAppBrowser = () =>
  useSyncExternalStore(
    () => () => {},
    () => isInAppBrowser(navigator.userAgent),
    () => false,
  );
