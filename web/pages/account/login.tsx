import { useEffect, useState } from 'react';
import { useLoaderData, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { credentialMessages, signInInput } from '#contract/credentials.ts';
import { limits } from '#contract/limits.ts';
import { landingOf } from '#web/app/guards.ts';
import { useServices } from '#web/app/services-context.ts';
import { SecondFactorAsked, type SettledSession } from '#web/app/session.ts';
import { Button } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { SecondFactorForm } from '#web/components/form/second-factor-form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { carriedEmail } from './components/carried-email.ts';
import { FootNote } from './components/foot-note.tsx';
import { GoogleSignIn, loadMethods } from './components/google-sign-in.tsx';

/** Warns of a password that may be incomplete. Imported accounts may have shorter passwords. */
const shortPassword = z.string().check(z.minLength(limits.passwordMinLength, credentialMessages.password));

export const loader = loadMethods;

export function Component() {
  const { google } = useLoaderData<typeof loader>();
  const { session } = useServices();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [codeAsked, setCodeAsked] = useState(false);
  const [email] = useState(carriedEmail.find);
  useEffect(carriedEmail.forget, []);
  const goOn = async (signedIn: SettledSession) => navigate(landingOf(signedIn, search), { replace: true });
  const form = useForm({
    schema: signInInput,
    initial: { email, password: '' },
    advice: { password: shortPassword },
    submit: async (input) => {
      try {
        await goOn(await session.signIn(input));
      } catch (error) {
        if (!(error instanceof SecondFactorAsked)) throw error;
        setCodeAsked(true);
      }
    },
  });

  if (codeAsked) {
    return (
      <>
        <PageTitle title="Verificação em duas etapas" />
        <h1>Mais um passo</h1>
        <SecondFactorForm onDone={goOn} />
        <Button variant="quiet" onClick={() => setCodeAsked(false)}>
          Voltar
        </Button>
      </>
    );
  }

  return (
    <>
      <PageTitle
        title="Entrar"
        description="Entre na sua conta para praticar com os vídeos e áudios da clínica, no seu tempo."
        path="/login"
      />
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
          aside={
            <Link to="/login/recover" onClick={() => carriedEmail.carry(form.values.email)}>
              Esqueceu a senha?
            </Link>
          }
          autoComplete="current-password"
        />
      </Form>
      {google && <GoogleSignIn />}
      <FootNote>
        Ainda não tem conta? <Link to="/register">Criar uma conta</Link>
      </FootNote>
    </>
  );
}
