import { useEffect, useState } from 'react';
import { hasCode } from '#client/client-error.ts';
import { signInInput } from '#contract/credentials.ts';
import { secondFactorCode } from '#contract/sign-in/second-factor.ts';
import { client } from '#web/app/client.ts';
import { isInAppBrowser } from '#web/app/google-window.ts';
import { useServices } from '#web/app/services.ts';
import { SecondFactorAsked, type SessionSnapshot, type SettledSession } from '#web/app/session.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { GoogleButton } from '../google/google-button.tsx';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.tsx';
import { TextField } from './field.tsx';
import { Form, OneButtonForm, SubmitButton } from './form.tsx';
import { PasswordField } from './password-field.tsx';

import { useForm } from './use-form.ts';

/** True if a call failed because the session has ended. */
export const isSignedOutError = (error: unknown) => hasCode(error, 'auth/unauthenticated');

/** The sign-in dialog for a user whose session has ended. The page stays open, so that no input is lost. */
export function SignInAgain({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { session } = useServices();
  const [codeAsked, setCodeAsked] = useState(false);
  const [knownEmail] = useState(() => {
    const before = session.getSnapshot();
    return before.status === 'signed-in' ? before.session.user.email : '';
  });
  const form = useForm({
    schema: signInInput,
    initial: { email: knownEmail, password: '' },
    submit: async (input) => {
      try {
        await session.signIn(input);
        onDone();
      } catch (error) {
        if (!(error instanceof SecondFactorAsked)) throw error;
        setCodeAsked(true);
      }
    },
  });

  if (codeAsked) {
    return (
      <Dialog title="Mais um passo" size="narrow" onClose={onCancel}>
        <SecondFactorForm onDone={onDone} />
      </Dialog>
    );
  }

  return (
    <Dialog title="Entre de novo" size="narrow" onClose={onCancel}>
      <Form
        form={form}
        actions={
          <>
            <SubmitButton pending={form.pending} working="Entrando…">
              Entrar e continuar
            </SubmitButton>
            <Button variant="quiet" onClick={onCancel}>
              Agora não
            </Button>
          </>
        }
      >
        <p>Sua sessão terminou. Nada se perdeu: esta página continua como estava.</p>
        <TextField {...form.field('email')} label="Email" type="email" autoComplete="username webauthn" />
        <PasswordField {...form.field('password')} label="Senha" autoComplete="current-password" />
      </Form>
      <PasskeySignIn onDone={onDone} />
      <GoogleAgain onDone={onDone} />
    </Dialog>
  );
}

/**
 * Returns `withSession`, which runs a call that needs a session. If the session has ended, `withSession` asks
 * the user to sign in again and then repeats the call. Render `signInAgain` in the page.
 */
export function useSignInAgain() {
  const { session } = useServices();
  const [waiting, setWaiting] = useState<{ resume: () => void; cancel: () => void }>();

  async function withSession<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!isSignedOutError(error)) throw error;
      const before = uidOf(session.getSnapshot());
      await new Promise<void>((resolve, reject) => {
        setWaiting({ resume: resolve, cancel: () => reject(error) });
      }).finally(() => setWaiting(undefined));
      // Another user's account must not get what this user has written.
      if (before !== undefined && before !== uidOf(session.getSnapshot())) throw error;
      return call();
    }
  }

  const signInAgain = waiting && <SignInAgain onDone={waiting.resume} onCancel={waiting.cancel} />;
  return { withSession, signInAgain };
}

const uidOf = (present: SessionSnapshot) =>
  present.status === 'signed-in' ? present.session.user.uid : undefined;

/** The second step of a sign-in: a code from the authenticator app, or a recovery code. */
export function SecondFactorForm({ onDone }: { onDone: (session: SettledSession) => void | Promise<void> }) {
  const { session } = useServices();
  const form = useForm({
    schema: secondFactorCode,
    initial: { code: '' },
    submit: async ({ code }) => onDone(await session.finishSignIn(code)),
  });

  const field = form.field('code');
  // This form has replaced another form, so move the focus to the first field.
  useEffect(() => document.getElementById(field.id)?.focus(), [field.id]);

  return (
    <OneButtonForm form={form} submit="Confirmar" working="Conferindo…">
      <TextField
        {...field}
        label="Código de verificação"
        hint="Seis números do seu aplicativo autenticador, ou um dos códigos de recuperação."
        autoComplete="one-time-code"
      />
    </OneButtonForm>
  );
}

/** The Google button in the dialog `SignInAgain`, mainly for users who have no password. */
function GoogleAgain({ onDone }: { onDone: () => void }) {
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
