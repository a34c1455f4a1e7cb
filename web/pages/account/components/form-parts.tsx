import type { ReactNode } from 'react';
import { type FocusEvent, useState, useSyncExternalStore } from 'react';
import type { LoaderFunctionArgs } from 'react-router';
import { passwordRules } from '#contract/credentials.ts';
import type { SignInMethods } from '#contract/user.ts';
import { isInAppBrowser } from '#web/app/google-window.ts';
import { servicesContext } from '#web/app/services.ts';
import { type FieldState, TextField } from '#web/components/form/field.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { GoogleButton } from '#web/components/google/google-button.tsx';
import type { GoogleOptions } from '#web/components/google/use-google-sign-in.ts';
import { Info } from '#web/components/notice.tsx';
import styles from './form-parts.module.css';

/**
 * How long the page waits for the list of sign-in methods, in milliseconds. After that, the form appears
 * without the sign-in with Google.
 */
const methodsMs = 3_000;

const passwordOnly: SignInMethods = { google: false };

/** The loader of a page with `GoogleSignIn`. The page waits for it, so that the layout does not shift. */
export async function loadMethods({ context, request }: LoaderFunctionArgs): Promise<SignInMethods> {
  const { pageData } = context.get(servicesContext);
  return Promise.race([
    // The form works without this response. If the server fails, a submit of the form reports it.
    pageData.signInMethods(request.signal).catch(() => passwordOnly),
    new Promise<SignInMethods>((resolve) => setTimeout(resolve, methodsMs, passwordOnly)),
  ]);
}

/** The sign-in with Google, below a form. */
export function GoogleSignIn(options: GoogleOptions) {
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
        <GoogleButton {...options} label="Entrar com Google" working="Entrando…" />
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

/** The line of links under a form. */
export function FootNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}

/** @param autoComplete `username` tells password managers that the email address is an account's user name */
export function EmailField(props: FieldState & { autoComplete: 'username webauthn' | 'username' | 'email' }) {
  return <TextField {...props} label="Email" type="email" inputMode="email" />;
}

/** A field for a new password, with the rule that it must meet. */
export function NewPasswordField(props: FieldState & { label: string }) {
  return (
    <PasswordField
      {...props}
      hint="Pelo menos 8 caracteres, apenas letras e números."
      autoComplete="new-password"
      rules={passwordRules}
    />
  );
}

/** A field for typing a new password again. It warns if the two differ, but never blocks a submit. */
export function ConfirmationField({
  label,
  password,
  ...field
}: FieldState & { label: string; password: string }) {
  const [left, setLeft] = useState(false);
  // While the user types, show no difference as long as the text is a prefix of the password.
  const differs = field.value !== '' && (left ? field.value !== password : !password.startsWith(field.value));

  return (
    <PasswordField
      {...field}
      onLeave={(event: FocusEvent) => {
        setLeft(true);
        field.onLeave(event);
      }}
      label={label}
      autoComplete="new-password"
      rules={passwordRules}
      required={false}
      note={
        differs && (
          <>
            <Info /> <span>As duas senhas estão diferentes. Vale conferir; a que conta é a primeira.</span>
          </>
        )
      }
    />
  );
}
