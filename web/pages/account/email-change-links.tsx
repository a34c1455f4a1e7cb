import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { client } from '#web/app/client.ts';
import { emailChangeToken } from '#web/app/kept-tokens.ts';
import { requireSent } from '#web/app/load-offline.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { FootNote } from './components/form-parts.tsx';

/**
 * The link in the mail to a new address opens this page. The tokens of both links are in the fragment, which
 * browsers do not send to servers. The pages wait for a click, because some mail programs open links
 * automatically.
 */
export function NewEmail() {
  const token = useLocation().hash.slice(1) || emailChangeToken.find();
  const present = useSession();
  const { session } = useServices();
  const { pending, failure, run } = useAction();
  const [state, setState] = useState<'asking' | 'other-account' | 'done' | 'ended'>('asking');

  const confirm = () =>
    run(async () => {
      try {
        await client.auth.confirmEmailChange(token);
        emailChangeToken.forget();
        // The address has changed even if this call fails.
        await session.refresh().catch(() => {});
        setState('done');
      } catch (error) {
        if (hasCode(error, 'auth/other-account')) return setState('other-account');
        // The session has ended: the page then asks for a sign-in.
        if (hasCode(error, 'auth/unauthenticated')) return void (await session.refresh());
        if (!hasCode(error, 'auth/invalid-link')) throw error;
        emailChangeToken.forget();
        setState('ended');
      }
    });
  const signOut = () =>
    run(async () => {
      await requireSent(session);
      await session.signOut();
      setState('asking');
    });

  if (present.status === 'loading' && state === 'asking') return <Loading />;
  if (state === 'done')
    return (
      <Result title="E-mail trocado">
        <p role="status">
          Agora você entra com este endereço. Os outros aparelhos saíram da conta. Se você recebe a carta, ela
          continua indo para o endereço em que você a pediu.
        </p>
        <ButtonLink to="/account">Ver a minha conta</ButtonLink>
      </Result>
    );
  if (state === 'ended' || token === '')
    return (
      <Result title="Este link não vale mais">
        <p role="status">
          Ele já foi usado, venceu ou veio incompleto. Na sua conta você vê o e-mail de agora, e pede outro
          link se for preciso.
        </p>
        <ButtonLink to="/account">Ver a minha conta</ButtonLink>
      </Result>
    );
  return (
    <>
      <PageTitle title="Confirmar o novo e-mail" />
      <meta name="referrer" content="no-referrer" />
      <h1>Confirmar o novo e-mail</h1>
      <FormMessage {...failure} />
      {state === 'other-account' ? (
        <>
          <p role="status">
            Este link é de outra conta. Saia da que está aberta neste aparelho para continuar.
          </p>
          <Button aria-disabled={pending || undefined} onClick={signOut}>
            {pending ? 'Saindo…' : 'Sair desta conta'}
          </Button>
        </>
      ) : present.status === 'signed-in' ? (
        <>
          <p>Falta só um toque para a sua conta passar a usar este endereço.</p>
          <Button aria-disabled={pending || undefined} onClick={confirm}>
            {pending ? 'Um momento…' : 'Confirmar o novo e-mail'}
          </Button>
        </>
      ) : (
        <>
          <p role="status">Entre na sua conta, ainda com o e-mail de antes, e depois confirme o novo.</p>
          <ButtonLink to="/login?para=email-novo" onClick={() => emailChangeToken.keep(token)}>
            Entrar
          </ButtonLink>
        </>
      )}
      <FootNote>
        Não foi você que pediu? Então não confirme. <Link to="/">Ir ao início</Link>
      </FootNote>
    </>
  );
}

/** The link in the mail to an old address opens this page. It works without a session. */
export function EmailBack() {
  const token = useLocation().hash.slice(1);
  const { session } = useServices();
  const { pending, failure, run } = useAction();
  const [state, setState] = useState<'asking' | 'sent' | 'ended' | { email: string }>('asking');

  const takeBack = () =>
    run(async () => {
      try {
        setState({ email: await client.auth.takeEmailBack(token) });
        // If this browser had a session of the account, it has ended.
        await session.refresh().catch(() => {});
      } catch (error) {
        if (!hasCode(error, 'auth/invalid-link')) throw error;
        setState('ended');
      }
    });
  const sendReset = (email: string) =>
    run(async () => {
      await client.auth.requestPasswordReset(email);
      setState('sent');
    });

  if (state === 'ended' || token === '')
    return (
      <Result title="Este link não vale mais">
        <p role="status">
          Ele já foi usado, venceu ou veio incompleto. Se você não consegue mais entrar na sua conta, fale com
          a clínica.
        </p>
        <ButtonLink to="/">Ir ao início</ButtonLink>
      </Result>
    );
  if (state === 'sent')
    return (
      <Result title="Olhe o seu e-mail">
        <p role="status">
          Enviamos o link para criar a senha nova. Ele vale por 10 minutos. Se não chegar, olhe também a pasta
          de spam.
        </p>
      </Result>
    );
  if (typeof state === 'object')
    return (
      <Result title="O seu e-mail voltou">
        <p role="status">
          A conta é de <span translate="no">{state.email}</span> outra vez, e nada do que entrava nela entra
          mais. Falta criar uma senha nova.
        </p>
        <FormMessage {...failure} />
        <Button aria-disabled={pending || undefined} onClick={() => sendReset(state.email)}>
          {pending ? 'Enviando…' : 'Receber o link por e-mail'}
        </Button>
      </Result>
    );
  return (
    <>
      <PageTitle title="Trazer o e-mail de volta" />
      <meta name="referrer" content="no-referrer" />
      <h1>Trazer o e-mail de volta</h1>
      <p>
        Se não foi você que trocou o e-mail da conta, traga-o de volta. Tudo o que entra nela deixa de valer:
        senha, chaves de acesso, Google, verificação em duas etapas e aparelhos. Depois, você cria uma senha
        nova.
      </p>
      <FormMessage {...failure} />
      <Button aria-disabled={pending || undefined} onClick={takeBack}>
        {pending ? 'Um momento…' : 'Trazer o e-mail de volta'}
      </Button>
      <FootNote>
        Foi você que trocou? Então não precisa fazer nada. <Link to="/">Ir ao início</Link>
      </FootNote>
    </>
  );
}

/** The pressed button is gone, so the focus moves to the heading. */
function Result({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <PageTitle title={title} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </>
  );
}
