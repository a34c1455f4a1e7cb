import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import { passwordReset } from '#contract/credentials.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { useToast } from '#web/components/toast.tsx';
import { FootNote, NewPasswordField } from './components/form-parts.tsx';

const newPasswordOnly = z.pick(passwordReset, { password: true });

/**
 * The link in a password reset mail opens this page. The token is in the fragment, which browsers do not send
 * to servers.
 */
export function Component() {
  const token = useLocation().hash.slice(1);
  // Another link that is opened in the same tab changes only the fragment, and must start anew.
  return <LinkPage key={token} token={token} />;
}

function LinkPage({ token }: { token: string }) {
  const { session } = useServices();
  const navigate = useNavigate();
  const notify = useToast();
  const [linkEnded, setLinkEnded] = useState(token === '');
  const form = useForm({
    schema: newPasswordOnly,
    initial: { password: '' },
    submit: async ({ password }) => {
      try {
        await client.auth.resetPassword({ token, password });
      } catch (error) {
        if (!hasCode(error, 'auth/invalid-link')) throw error;
        setLinkEnded(true);
        return;
      }
      // A reset ends all sessions of the account, which can include the session of this browser.
      await session.refresh().catch(() => {});
      await navigate('/login', { replace: true });
      notify('Senha nova salva. Agora é só entrar.');
    },
  });

  if (linkEnded) {
    return (
      <>
        <PageTitle title="Este link não vale mais" />
        <h1>Este link não vale mais</h1>
        <p role="status">
          Ele já foi usado, venceu ou veio incompleto. Peça outro: chega em instantes no seu e-mail.
        </p>
        <ButtonLink to="/login/recover">Pedir outro link</ButtonLink>
        <FootNote>
          <Link to="/login">Voltar para entrar</Link>
        </FootNote>
      </>
    );
  }

  return (
    <>
      <PageTitle title="Criar outra senha" />
      <h1>Criar outra senha</h1>
      <OneButtonForm form={form} submit="Salvar a senha" working="Salvando…">
        <NewPasswordField {...form.field('password')} label="Senha nova" />
      </OneButtonForm>
    </>
  );
}
