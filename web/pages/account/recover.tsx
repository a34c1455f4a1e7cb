import { useNavigate } from 'react-router';
import { passwordResetRequest } from '#contract/credentials.ts';
import { client } from '#web/app/client.ts';
import { visit } from '#web/app/visit.ts';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { useCarriedEmail } from './components/between-forms.ts';
import { EmailField, FootNote } from './components/form-parts.tsx';
import { MailNotice } from './recover/mail-notice.tsx';

/** Requests an e-mail with a reset link. The page does not reveal whether the account exists. */
export function Component() {
  const navigate = useNavigate();
  const email = useCarriedEmail();
  const form = useForm({
    schema: passwordResetRequest,
    initial: { email },
    submit: async ({ email }) => {
      await client.auth.requestPasswordReset(email);
      visit.homeNotice = MailNotice;
      await navigate('/');
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
