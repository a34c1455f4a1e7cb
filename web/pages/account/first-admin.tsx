import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { client } from '#web/app/client.ts';
import { firstAdminToken } from '#web/app/kept-tokens.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { isAdmin, type SignedIn } from '#web/app/session.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './components/form-parts.module.css';

/**
 * While there is no admin, the server prints a one-time link to this page. The token is in the fragment,
 * which browsers do not send to servers. A visitor signs up or signs in first and then returns.
 */
export function Component() {
  const session = useSession();
  const given = useLocation().hash.slice(1);
  const [token] = useState(() => given || firstAdminToken.find());

  if (session.status === 'loading') return <Loading />;
  return (
    <>
      <PageTitle title="Primeiro acesso" />
      <h1>Primeiro acesso</h1>
      {session.status === 'signed-in' ? (
        <BecomeAdmin present={session} token={token} />
      ) : (
        <SignInFirst token={token} />
      )}
    </>
  );
}

function SignInFirst({ token }: { token: string }) {
  if (token === '') return <Incomplete />;
  const keep = () => firstAdminToken.keep(token);
  return (
    <>
      <p>
        Este link dá a uma conta as chaves da administração. Crie a sua conta, ou entre nela: o resto acontece
        sozinho.
      </p>
      <div className={styles.actions}>
        <ButtonLink to="/register?para=primeiro-acesso" onClick={keep}>
          Criar uma conta
        </ButtonLink>
        <ButtonLink to="/login?para=primeiro-acesso" variant="quiet" onClick={keep}>
          Entrar
        </ButtonLink>
      </div>
    </>
  );
}

const Incomplete = () => (
  <p>O link veio incompleto. Copie o endereço inteiro que o servidor mostrou ao começar.</p>
);

function BecomeAdmin({ present, token }: { present: SignedIn; token: string }) {
  const { session } = useServices();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { pending, failure, run } = useAction();
  const already = isAdmin(present);
  // Continue without a click if the user opened the link, then signed in, and was redirected back here.
  const automatic = search.has('continuar') && token !== '' && !already;

  const become = () =>
    run(async () => {
      try {
        await client.auth.becomeFirstAdmin(token);
      } catch (error) {
        if (hasCode(error, 'auth/invalid-link') || hasCode(error, 'auth/already-has-admin'))
          firstAdminToken.forget();
        throw error;
      }
      firstAdminToken.forget();
      await session.refresh();
      await navigate('/admin', { replace: true });
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once, when the page opens.
  useEffect(() => {
    if (automatic) become();
  }, []);

  if (already) {
    return (
      <>
        <p>Sua conta já é administradora.</p>
        <ButtonLink to="/admin">Ir para a administração</ButtonLink>
      </>
    );
  }
  if (token === '') return <Incomplete />;
  return (
    <>
      <p>
        A conta <span translate="no">{present.session.user.email}</span> vai poder publicar práticas e ver
        quem se cadastrou. O link vale uma única vez.
      </p>
      <FormMessage {...failure} />
      <Button aria-disabled={pending || undefined} onClick={become}>
        {pending ? 'Um momento…' : 'Tornar esta conta administradora'}
      </Button>
    </>
  );
}
