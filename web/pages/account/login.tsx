import { useState } from 'react';
import { useLoaderData, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { credentialMessages, signInInput } from '#contract/credentials.ts';
import { limits } from '#contract/limits.ts';
import { useServices } from '#web/app/services.ts';
import { SecondFactorAsked, type SettledSession } from '#web/app/session.ts';
import { visit } from '#web/app/visit.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { pathAfterKeeping } from '#web/components/favourites/wanted-practice.ts';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { SecondFactorForm } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { refusalSentence } from '#web/components/layout/refusal-toast.tsx';
import { Link } from '#web/components/link.tsx';
import { PasskeySignIn } from '#web/components/passkeys/passkey-sign-in.tsx';
import {
  carryEmail,
  useCarriedEmail,
  useKeptDestination,
  useWantedPractice,
} from './components/between-forms.ts';
import { EmailField, FootNote, GoogleSignIn, loadMethods } from './components/form-parts.tsx';

/** Warns about a short password, but never blocks a submit, because imported passwords can be shorter. */
const shortPassword = z.string().check(z.minLength(limits.passwordMinLength, credentialMessages.password));

export const loader = loadMethods;

/** The sign-in form. If the account has a second factor, a form for the code follows. */
export function Component() {
  const { google } = useLoaderData<typeof loader>();
  const { session } = useServices();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const kept = useKeptDestination();
  const [codeAsked, setCodeAsked] = useState(false);
  const email = useCarriedEmail();
  const wanted = useWantedPractice();
  const [refusal] = useState(() => visit.wanted);
  const finish = async (signedIn: SettledSession) =>
    navigate(await pathAfterKeeping(signedIn, search), { replace: true });
  const form = useForm({
    schema: signInInput,
    initial: { email, password: '' },
    advice: { password: shortPassword },
    submit: async (input) => {
      try {
        await finish(await session.signIn(input));
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
        <SecondFactorForm onDone={finish} />
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
      {wanted && <p>Depois de entrar, a prática que você escolheu fica guardada.</p>}
      {refusal && <p>{refusalSentence(refusal)}</p>}
      <OneButtonForm form={form} submit="Entrar" working="Entrando…">
        <EmailField {...form.field('email')} autoComplete="username webauthn" />
        <PasswordField
          {...form.field('password')}
          label="Senha"
          aside={
            <Link to="/login/recover" onClick={() => carryEmail(form.values.email)}>
              Esqueceu a senha?
            </Link>
          }
          autoComplete="current-password"
        />
      </OneButtonForm>
      <PasskeySignIn onDone={finish} />
      {google && <GoogleSignIn />}
      <FootNote>
        Ainda não tem conta? <Link to={kept('/register')}>Criar uma conta</Link>
      </FootNote>
    </>
  );
}

/** The "not found" page for unknown paths under /login. */
export function LoginNotFound() {
  return (
    <>
      <PageTitle title="Página não encontrada" />
      <h1>Página não encontrada.</h1>
      <p>O endereço pode ter mudado, ou o link veio incompleto.</p>
      <ButtonLink to="/login">Ir para a entrada</ButtonLink>
      <FootNote>
        <Link to="/">Voltar ao início</Link>
      </FootNote>
    </>
  );
}
