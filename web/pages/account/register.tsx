import { useState } from 'react';
import { useLoaderData, useNavigate } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { signUpInput } from '#contract/credentials.ts';
import { homeOf } from '#web/app/guards.ts';
import { useServices } from '#web/app/services-context.ts';
import { useSession } from '#web/app/use-session.ts';
import { TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { Notice } from '#web/components/notice.tsx';
import { carriedEmail } from './components/carried-email.ts';
import { ConfirmationField } from './components/confirmation-field.tsx';
import { FootNote } from './components/foot-note.tsx';
import { GoogleSignIn, loadMethods } from './components/google-sign-in.tsx';

export const loader = loadMethods;

export function Component() {
  const { google } = useLoaderData<typeof loader>();
  const { session } = useServices();
  const present = useSession();
  const navigate = useNavigate();
  const [mailedTo, setMailedTo] = useState('');
  const [taken, setTaken] = useState('');
  const form = useForm({
    schema: signUpInput,
    initial: { displayName: '', email: '', password: '', confirmation: '' },
    submit: async (input) => {
      setTaken('');
      try {
        await navigate(homeOf(await session.signUp(input)), { replace: true });
      } catch (error) {
        const code = error instanceof ClientError ? error.code : undefined;
        if (code === 'auth/email-taken') {
          setTaken(input.email);
          // The links of TakenWays follow this message.
          throw new ClientError(code, 'Já existe uma conta com este email.', { cause: error });
        }
        if (code !== 'auth/email-not-verified') throw error;
        setMailedTo(input.email);
      }
    },
  });

  if (mailedTo) {
    return (
      <>
        <PageTitle title="Confira o seu email" />
        <h1>Confira o seu email</h1>
        <p role="status">
          Enviamos uma mensagem para {mailedTo}. Abra o link que está nela para confirmar o endereço e entrar.
          Se não chegar em alguns minutos, olhe também a pasta de spam.
        </p>
      </>
    );
  }

  return (
    <>
      <PageTitle
        title="Criar uma conta"
        description="Crie uma conta para praticar com os vídeos e áudios da clínica entre uma consulta e outra."
        path="/register"
      />
      <h1>Criar uma conta</h1>
      {present.status === 'signed-in' && !form.pending && (
        <Notice>
          Você está na conta {present.session.user.email}. Ao criar outra, você sai dela e entra na nova.
        </Notice>
      )}
      <Form
        form={form}
        ways={taken && <TakenWays email={taken} />}
        actions={
          <SubmitButton pending={form.pending} working="Criando a conta…">
            Criar a conta
          </SubmitButton>
        }
      >
        <TextField {...form.field('displayName')} label="Nome completo" autoComplete="name" />
        <TextField
          {...form.field('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <PasswordField
          {...form.field('password')}
          label="Senha"
          hint="Pelo menos 8 caracteres, apenas letras e números."
          autoComplete="new-password"
        />
        <ConfirmationField
          {...form.field('confirmation')}
          label="Confirme a Senha"
          password={form.values.password}
        />
      </Form>
      {google && <GoogleSignIn />}
      <FootNote>
        Já tem conta? <Link to="/login">Entrar</Link>
      </FootNote>
    </>
  );
}

/** Links for a user who already has an account; they pass on the e-mail address. */
function TakenWays({ email }: { email: string }) {
  const carry = () => carriedEmail.carry(email);
  return (
    <>
      {' Quer '}
      <Link to="/login" onClick={carry}>
        entrar
      </Link>
      {' ou '}
      <Link to="/login/recover" onClick={carry}>
        recuperar a senha
      </Link>
      ?
    </>
  );
}
