import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import { newPassword } from '#contract/credentials.ts';
import type { VerificationLinkState } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { firstAdminToken, wantedPractice } from '#web/app/kept-tokens.ts';
import { requireSent } from '#web/app/load-offline.ts';
import { startPathOf } from '#web/app/routes/guards.ts';
import { useServices, useSession } from '#web/app/services.ts';
import type { SettledSession } from '#web/app/session.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { wantedParam } from '#web/components/favourites/wanted-path.ts';
import { pathAfterKeeping } from '#web/components/favourites/wanted-practice.ts';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { FootNote, NewPasswordField } from './components/form-parts.tsx';

const passwordOnly = z.object({ password: newPassword });

/**
 * The link in a verification mail opens this page. The token is in the fragment, which browsers do not send
 * to servers. The page waits for a click, because some mail programs open links automatically.
 */
export function Component() {
  const token = useLocation().hash.slice(1);
  // Another link that is opened in the same tab changes only the fragment, and must start anew.
  return <LinkPage key={token} token={token} />;
}

function LinkPage({ token }: { token: string }) {
  const session = useSession();
  const [state, setState] = useState<'asking' | 'done' | 'ended'>('asking');
  const [next, setNext] = useState<string>();
  if (session.status === 'loading' && state === 'asking') return <Loading />;
  const settled: SettledSession = session.status === 'loading' ? { status: 'signed-out' } : session;
  // A second use of a link fails, although the first use has verified the email address.
  const verified = settled.status === 'signed-in' && settled.session.user.emailVerified;
  if (state === 'done' || (verified && state === 'ended')) return <Confirmed session={settled} next={next} />;
  if (state === 'ended' || token === '') return <LinkEnded session={settled} />;
  return (
    <Ask
      token={token}
      onEnd={(end, path) => {
        setNext(path);
        setState(end);
      }}
    />
  );
}

/** Asks for what the link needs in this browser: a click, a password, or first a sign-out. */
function Ask({ token, onEnd }: { token: string; onEnd: (state: 'done' | 'ended', next?: string) => void }) {
  const { session } = useServices();
  const { pending, failure, run } = useAction();
  const [link, setLink] = useState<VerificationLinkState>();

  const unlessEnded = async (call: Promise<void>) => {
    try {
      await call;
    } catch (error) {
      if (!hasCode(error, 'auth/invalid-link')) throw error;
      // Another tab may have used the link.
      await session.refresh().catch(() => {});
      onEnd('ended');
    }
  };
  const look = () =>
    run(() => unlessEnded(client.auth.findVerificationLink(token).then((found) => setLink(found))));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page looks at its link once
  useEffect(look, [token]);

  const confirm = (password?: string) =>
    unlessEnded(
      client.auth.verifyEmail({ token, ...(password !== undefined && { password }) }).then(async () => {
        // The link may have started a session. The email address is verified even if this call fails.
        const settled = await session.refresh().catch(() => undefined);
        // Without a password, the sign-up began in this browser, and so did the wish to keep a practice.
        const wanted = new URLSearchParams(
          password === undefined ? { [wantedParam]: wantedPractice.find() } : '',
        );
        onEnd('done', settled?.status === 'signed-in' ? await pathAfterKeeping(settled, wanted) : undefined);
      }),
    );
  const signOut = () =>
    run(async () => {
      await requireSent(session);
      await session.signOut();
      setLink(await client.auth.findVerificationLink(token));
    });

  return (
    <>
      <PageTitle title="Confirmar o e-mail" />
      <h1>Confirmar o e-mail</h1>
      {link === undefined && pending && <Loading />}
      <FormMessage {...failure} />
      {link === undefined && !pending && <Button onClick={look}>Tentar de novo</Button>}
      {link && link.signedInAs !== null && (
        <>
          <p role="status">
            Este link confirma o endereço <span translate="no">{link.email}</span>, e neste aparelho está
            aberta a conta <span translate="no">{link.signedInAs}</span>. Saia dela para continuar.
          </p>
          <Button aria-disabled={pending || undefined} onClick={signOut}>
            {pending ? 'Saindo…' : 'Sair desta conta'}
          </Button>
        </>
      )}
      {link && link.signedInAs === null && link.choosePassword && (
        <PasswordForm email={link.email} confirm={confirm} />
      )}
      {link && link.signedInAs === null && !link.choosePassword && (
        <>
          <p>
            Falta só um toque para sabermos que o endereço <span translate="no">{link.email}</span> é seu.
          </p>
          <Button aria-disabled={pending || undefined} onClick={() => run(() => confirm())}>
            {pending ? 'Um momento…' : 'Confirmar meu e-mail'}
          </Button>
        </>
      )}
      <FootNote>
        Não foi você que se cadastrou? Então não confirme. <Link to="/">Ir ao início</Link>
      </FootNote>
    </>
  );
}

/** In a browser that did not ask for the link, the owner of the address chooses the password. */
function PasswordForm({ email, confirm }: { email: string; confirm: (password: string) => Promise<void> }) {
  const form = useForm({
    schema: passwordOnly,
    initial: { password: '' },
    submit: ({ password }) => confirm(password),
  });
  return (
    <>
      <p>
        Para confirmar neste navegador que o endereço <span translate="no">{email}</span> é seu, escolha a sua
        senha. Pode ser a mesma.
      </p>
      <OneButtonForm form={form} submit="Confirmar meu e-mail" working="Um momento…">
        {/* Password managers store the password under this name. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField {...form.field('password')} label="Escolha sua senha" />
      </OneButtonForm>
    </>
  );
}

/** @param next the page that opens next; without it, the start page of the role */
function Confirmed({ session, next }: { session: SettledSession; next: string | undefined }) {
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
          <ButtonLink to={firstAdminToken.find() ? '/primeiro-acesso' : (next ?? startPathOf(session))}>
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
            Ele já foi usado, venceu ou veio incompleto. Se a sua conta já existe, é só entrar. Se não, faça o
            cadastro de novo, e enviamos outro link.
          </p>
          <ButtonLink to="/login">Entrar</ButtonLink>
          <p>
            <Link to="/register">Criar uma conta</Link>
          </p>
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
