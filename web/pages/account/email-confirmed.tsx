import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { errorMessages } from '#contract/errors.ts';
import { homeOf } from '#web/app/guards.ts';
import { useServices } from '#web/app/services-context.ts';
import type { SettledSession } from '#web/app/session.ts';
import { useSession } from '#web/app/use-session.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { Loading } from '#web/components/layout/loading.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FootNote } from './components/foot-note.tsx';

/**
 * The page after the link of a verification e-mail. The server has decided; `?erro=` says when it refused.
 */
export function Component() {
  const session = useSession();
  const [search] = useSearchParams();
  if (session.status === 'loading') return <Loading />;
  const verified = session.status === 'signed-in' && session.session.user.emailVerified;
  // A link that was used before also leads here, with a verified address.
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
          <ButtonLink to={homeOf(session)}>Continuar</ButtonLink>
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
  const [state, setState] = useState<'asking' | 'sending' | 'sent'>('asking');
  const [message, setMessage] = useState('');

  async function send() {
    if (state === 'sending') return;
    setState('sending');
    setMessage('');
    try {
      await client.auth.sendVerificationEmail();
      setState('sent');
    } catch (error) {
      setState('asking');
      setMessage(error instanceof ClientError ? error.message : errorMessages.unexpected);
    }
  }

  return (
    <>
      <p role="status">
        {state === 'sent'
          ? `Enviamos outro link para ${email}. Ele vale por 24 horas. Se não chegar, olhe também a pasta de spam.`
          : `Ele venceu ou veio incompleto. Enviamos outro para ${email}, se você quiser.`}
      </p>
      <FormMessage message={message} />
      {state !== 'sent' && (
        <Button aria-disabled={state === 'sending' || undefined} onClick={() => void send()}>
          {state === 'sending' ? 'Enviando…' : 'Receber outro link'}
        </Button>
      )}
    </>
  );
}
