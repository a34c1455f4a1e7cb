import { useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { useServices } from '#web/app/services-context.ts';
import { isAdmin, type SignedIn } from '#web/app/session.ts';
import { useSession } from '#web/app/use-session.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { Loading } from '#web/components/layout/loading.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import styles from './first-admin.module.css';

/**
 * The page of the one-time link that the server prints while there is no admin. The token is in the fragment,
 * which browsers do not send to servers.
 */
export function Component() {
  const session = useSession();
  const token = useLocation().hash.slice(1);

  if (session.status === 'loading') return <Loading />;
  return (
    <>
      <PageTitle title="Primeiro acesso" />
      <h1>Primeiro acesso</h1>
      {session.status === 'signed-in' ? <BecomeAdmin present={session} token={token} /> : <SignInFirst />}
    </>
  );
}

function SignInFirst() {
  return (
    <>
      <p>
        Este link dá a uma conta as chaves da administração. Crie a sua conta, ou entre nela, e depois abra o
        mesmo link outra vez.
      </p>
      <div className={styles.actions}>
        <ButtonLink to="/register">Criar uma conta</ButtonLink>
        <ButtonLink to="/login" variant="quiet">
          Entrar
        </ButtonLink>
      </div>
    </>
  );
}

function BecomeAdmin({ present, token }: { present: SignedIn; token: string }) {
  const { client, session } = useServices();
  const navigate = useNavigate();
  const form = useForm({
    schema: z.object({}),
    initial: {},
    submit: async () => {
      await client.auth.becomeFirstAdmin(token);
      await session.refresh();
      await navigate('/admin', { replace: true });
    },
  });

  if (isAdmin(present)) {
    return (
      <>
        <p>Sua conta já é administradora.</p>
        <ButtonLink to="/admin">Ir para a administração</ButtonLink>
      </>
    );
  }
  if (token === '') {
    return <p>O link veio incompleto. Copie o endereço inteiro que o servidor mostrou ao começar.</p>;
  }
  return (
    <OneButtonForm form={form} submit="Tornar esta conta administradora" working="Um momento…">
      <p>
        A conta {present.session.user.email} vai poder publicar práticas e ver quem se cadastrou. O link vale
        uma única vez.
      </p>
    </OneButtonForm>
  );
}
