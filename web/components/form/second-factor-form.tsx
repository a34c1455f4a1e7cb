import { useEffect } from 'react';
import { secondFactorCode } from '#contract/second-factor.ts';
import { useServices } from '#web/app/services-context.ts';
import type { SettledSession } from '#web/app/session.ts';
import { TextField } from './field.tsx';
import { OneButtonForm } from './form.tsx';
import { useForm } from './use-form.ts';

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
