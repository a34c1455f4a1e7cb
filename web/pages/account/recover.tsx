import { useNavigate } from 'react-router';
import { passwordResetRequest } from '#contract/credentials.ts';
import { client } from '#web/app/client.ts';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { Quoted } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useCarriedEmail } from './components/between-forms.ts';
import { EmailField, FootNote } from './components/form-parts.tsx';

/** Requests an e-mail with a reset link. The page does not reveal whether the account exists. */
export function Component() {
  const navigate = useNavigate();
  const notify = useToast();
  const email = useCarriedEmail();
  const form = useForm({
    schema: passwordResetRequest,
    initial: { email },
    submit: async ({ email }) => {
      await client.auth.requestPasswordReset(email);
      await navigate('/');
      notify(
        <Quoted english="Password reset link sent!">
          Pronto. Se esta conta existir, o link chega em instantes ao seu e-mail.
        </Quoted>,
      );
    },
  });

  return (
    <>
      <PageTitle title="Recuperar a senha" />
      <h1>Recuperar a senha</h1>
      <p>Escreva o e-mail da sua conta. Se ela existir, você recebe um link para criar outra senha.</p>
      <OneButtonForm form={form} submit="Enviar o link" working="Enviando…">
        <EmailField {...form.field('email')} autoComplete="username" />
      </OneButtonForm>
      <FootNote>
        Lembrou? <Link to="/login">Voltar para entrar</Link>
      </FootNote>
    </>
  );
}
