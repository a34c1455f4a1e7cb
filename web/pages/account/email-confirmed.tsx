import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { startPathOf } from '#web/app/routes/guards.ts';
import { useServices } from '#web/app/services-context.ts';
import type { SettledSession } from '#web/app/session.ts';
import { useSession } from '#web/app/use-session.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { Loading } from '#web/components/layout/loading.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { useAction } from '#web/components/use-action.ts';
import { firstAdminToken } from './components/first-admin-token.ts';
import { FootNote } from './components/foot-note.tsx';

/**
 * The link in a verification mail opens this page. The token is in the fragment, which browsers do not send
 * to servers. The page waits for a click, because some mail programs open links automatically.
 */
export function Component() {
  const session = useSession();
  const token = useLocation().hash.slice(1);
  const [state, setState] = useState<'asking' | 'done' | 'ended'>('asking');
  if (session.status === 'loading' && state === 'asking') return <Loading />;
  const settled: SettledSession = session.status === 'loading' ? { status: 'signed-out' } : session;
  // A second use of a link fails, although the first use has verified the email address.
  const verified = settled.status === 'signed-in' && settled.session.user.emailVerified;
  if (state === 'done' || (verified && state === 'ended')) return <Confirmed session={settled} />;
  if (state === 'ended' || token === '') return <LinkEnded session={settled} />;
  return <Ask token={token} onEnd={setState} />;
}

function Ask({ token, onEnd }: { token: string; onEnd: (state: 'done' | 'ended') => void }) {
  const { client, session } = useServices();
  const { pending, failure, run } = useAction();

  useEffect(() => {
    client.prepare().catch(() => {});
  }, [client]);

  const press = () =>
    run(async () => {
      try {
        await client.auth.verifyEmail(token);
      } catch (error) {
        if (!hasCode(error, 'auth/invalid-link')) throw error;
        onEnd('ended');
        return;
      }
      // The link may have started a session. The email address is verified even if this call fails.
      await session.refresh().catch(() => {});
      onEnd('done');
    });

  return (
    <>
      <PageTitle title="Confirmar o e-mail" />
      <h1>Confirmar o e-mail</h1>
      <p>Falta só um toque para sabermos que este endereço é seu.</p>
      <FormMessage {...failure} />
      <Button aria-disabled={pending || undefined} onClick={press}>
        {pending ? 'Um momento…' : 'Confirmar meu e-mail'}
      </Button>
      <FootNote>
        Não foi você que se cadastrou? Então não confirme. <Link to="/">Ir ao início</Link>
      </FootNote>
    </>
  );
}

function Confirmed({ session }: { session: SettledSession }) {
  const heading = useFocusedHeading();
  return (
    <>
      <PageTitle title="E-mail confirmado" />
      <h1 ref={heading} tabIndex={-1}>
        E-mail confirmado
      </h1>
      {session.status === 'signed-in' ? (
        <>
          <p role="status">
            O endereço <span translate="no">{session.session.user.email}</span> é seu. Obrigado por confirmar.
          </p>
          <ButtonLink to={firstAdminToken.find() ? '/primeiro-acesso' : startPathOf(session)}>
            Continuar
          </ButtonLink>
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
  const heading = useFocusedHeading();
  return (
    <>
      <PageTitle title="Este link não vale mais" />
      <h1 ref={heading} tabIndex={-1}>
        Este link não vale mais
      </h1>
      {session.status === 'signed-in' ? (
        <SendAnother {...session.session.user} />
      ) : (
        <>
          <p role="status">
            Ele já foi usado, venceu ou veio incompleto. Entre na sua conta: se for preciso, enviamos outro.
          </p>
          <ButtonLink to="/login">Entrar</ButtonLink>
        </>
      )}
      <FootNote>
        <Link to="/">Voltar ao início</Link>
      </FootNote>
    </>
  );
}

/** The pressed button is gone, so the focus moves to the heading. */
function useFocusedHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return heading;
}

function SendAnother({ email, emailVerified }: { email: string; emailVerified: boolean }) {
  const { client } = useServices();
  const { pending, failure, run } = useAction();
  const [sent, setSent] = useState(false);

  const send = () =>
    run(async () => {
      await client.auth.sendVerificationEmail();
      setSent(true);
    });

  if (emailVerified)
    return (
      <p role="status">
        O endereço <span translate="no">{email}</span> já está confirmado.
      </p>
    );
  return (
    <>
      <p role="status">
        {sent
          ? `Enviamos outro link para ${email}. Ele vale por 24 horas. Se não chegar, olhe também a pasta de spam.`
          : `Ele já foi usado, venceu ou veio incompleto. Enviamos outro para ${email}, se você quiser.`}
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
