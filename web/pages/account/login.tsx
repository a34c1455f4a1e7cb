import { Link, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { credentialMessages, signInInput } from '#contract/credentials.ts';
import { limits } from '#contract/limits.ts';
import { homeOf } from '#web/guards.ts';
import { PasswordField, TextField } from '#web/parts/field.tsx';
import { FootNote } from '#web/parts/foot-note.tsx';
import { Form, SubmitButton } from '#web/parts/form.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { useForm } from '#web/parts/use-form.ts';
import { useServices } from '#web/services-context.ts';

/** A hint that a password may have been cut short; accounts from elsewhere may have shorter ones. */
const shortPassword = z.string().check(z.minLength(limits.passwordMinLength, credentialMessages.password));

export function Component() {
  const { session } = useServices();
  const navigate = useNavigate();
  const form = useForm({
    schema: signInInput,
    initial: { email: '', password: '' },
    advice: { password: shortPassword },
    submit: async (input) => {
      await navigate(homeOf(await session.signIn(input)), { replace: true });
    },
  });

  return (
    <>
      <PageTitle title="Entrar" />
      <h1>Entrar</h1>
      <Form
        form={form}
        actions={
          <SubmitButton pending={form.pending} working="Entrando…">
            Entrar
          </SubmitButton>
        }
      >
        <TextField
          {...form.field('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
        />
        <PasswordField
          {...form.field('password')}
          label="Senha"
          aside={<Link to="/login/recover">Esqueceu a senha?</Link>}
          autoComplete="current-password"
        />
      </Form>
      <FootNote>
        Ainda não tem conta? <Link to="/register">Criar uma conta</Link>
      </FootNote>
    </>
  );
}
