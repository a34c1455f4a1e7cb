import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { startPathOf } from '#web/app/guards.ts';
import { useServices } from '#web/app/services-context.ts';
import type { SettledSession } from '#web/app/session.ts';
import { useSession } from '#web/app/use-session.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { Loading } from '#web/components/layout/loading.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { useAction } from '#web/components/use-action.ts';
import { FootNote } from './components/foot-note.tsx';

/**
 * The page to which the server redirects from a verification link. `?erro=` is set if the link is invalid.
 */
export function Component() {
  const session = useSession();
  const [search] = useSearchParams();
  if (session.status === 'loading') return <Loading />;
  const verified = session.status === 'signed-in' && session.session.user.emailVerified;
  // A second use of a link also sets `?erro=`, but the email address is then already verified.
  return search.has('erro') && !verified ? <LinkEnded session={session} /> : <Confirmed session={session} />;
}

function Confirmed({ session }: { session: SettledSession }) {
  return (
    <>
      <PageTitle title="Email confirmado" />
      <h1>Email confirmado</h1>
      {session.status === 'signed-in' ? (
        <>
          <p role="status">O endereço {session.session.user.email} é seu. Obrigado por confirmar.</p>
          <ButtonLink to={startPathOf(session)}>Continuar</ButtonLink>
        </>
      ) : (
        <>
          <p role="status">Obrigado por confirmar. Agora é só entrar na sua conta.</p>
          <ButtonLink to="/login">Entrar</ButtonLink>
        </>
      )}
    </>
  );
}

function LinkEnded({ session }: { session: SettledSession }) {
  return (
    <>
      <PageTitle title="Este link não vale mais" />
      <h1>Este link não vale mais</h1>
      {session.status === 'signed-in' ? (
        <SendAnother email={session.session.user.email} />
      ) : (
        <>
          <p role="status">Ele venceu ou veio incompleto. Entre na sua conta e peça outro em "Conta".</p>
          <ButtonLink to="/login">Entrar</ButtonLink>
        </>
      )}
      <FootNote>
        <Link to="/">Voltar ao início</Link>
      </FootNote>
    </>
  );
}

function SendAnother({ email }: { email: string }) {
  const { client } = useServices();
  const { pending, failure, run } = useAction();
  const [sent, setSent] = useState(false);

  const send = () =>
    run(async () => {
      await client.auth.sendVerificationEmail();
      setSent(true);
    });

  return (
    <>
      <p role="status">
        {sent
          ? `Enviamos outro link para ${email}. Ele vale por 24 horas. Se não chegar, olhe também a pasta de spam.`
          : `Ele venceu ou veio incompleto. Enviamos outro para ${email}, se você quiser.`}
      </p>
      <FormMessage {...failure} />
      {!sent && (
        <Button aria-disabled={pending || undefined} onClick={send}>
          {pending ? 'Enviando…' : 'Receber outro link'}
        </Button>
      )}
    </>
  );
}
