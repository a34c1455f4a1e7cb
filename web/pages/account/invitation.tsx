import { useEffect, useState } from 'react';
import { useLoaderData, useLocation, useNavigate } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { type InvitationLinkState, invitedAccount } from '#contract/sign-in/invitation.ts';
import { roleName, roles } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { invitationToken } from '#web/app/kept-tokens.ts';
import { requireSent } from '#web/app/load-offline.ts';
import { startPathOf } from '#web/app/routes/guards.ts';
import { useServices } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { carryEmail } from './components/between-forms.ts';
import { FootNote, GoogleSignIn, loadMethods, NewPasswordField } from './components/form-parts.tsx';

export const loader = loadMethods;

/**
 * The link in the mail of an invitation opens this page. The token is in the fragment, which browsers do not
 * send to servers. The page waits for a click, because some mail programs open links automatically.
 */
export function Component() {
  const given = useLocation().hash.slice(1);
  const token = given || invitationToken.find();
  return (
    <>
      <PageTitle title="Convite" />
      <meta name="referrer" content="no-referrer" />
      {/* Another link that is opened in the same tab changes only the fragment, and must start anew. */}
      {token === '' ? <Ended /> : <LinkPage key={token} token={token} />}
    </>
  );
}

function LinkPage({ token }: { token: string }) {
  const { session } = useServices();
  const navigate = useNavigate();
  const notify = useToast();
  const { pending, failure, run } = useAction();
  const [link, setLink] = useState<InvitationLinkState>();
  const [ended, setEnded] = useState(false);

  const unlessEnded = async (call: Promise<void>) => {
    try {
      await call;
    } catch (error) {
      if (!hasCode(error, 'auth/invalid-link')) throw error;
      invitationToken.forget();
      setEnded(true);
    }
  };
  const look = () =>
    run(() => unlessEnded(client.auth.findInvitation(token).then((found) => setLink(found))));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page looks at its link once
  useEffect(look, [token]);

  const accept = (account: { displayName?: string; password?: string } = {}) =>
    unlessEnded(
      client.auth.acceptInvitation({ token, ...account }).then(async () => {
        invitationToken.forget();
        const settled = await session.refresh();
        await navigate(startPathOf(settled), { replace: true });
        notify('Convite aceito. Boas-vindas!');
      }),
    );
  const signOut = () =>
    run(async () => {
      await requireSent(session);
      await session.signOut();
      setLink(await client.auth.findInvitation(token));
    });

  if (ended) return <Ended />;
  return (
    <>
      <h1>Convite</h1>
      {link === undefined && pending && <Loading />}
      {link && (
        <p>{`A clínica convida você. O seu papel: ${roleName(link.member)}. Com ele, você ${canOf(link)}`}</p>
      )}
      <FormMessage {...failure} />
      {link === undefined && !pending && <Button onClick={look}>Tentar de novo</Button>}
      {link?.needs === 'sign-out' && (
        <>
          <p role="status">
            O convite é para <span translate="no">{link.email}</span>, e neste aparelho está aberta a conta{' '}
            <span translate="no">{link.signedInAs}</span>. Saia dela para continuar.
          </p>
          <Button aria-disabled={pending || undefined} onClick={signOut}>
            {pending ? 'Saindo…' : 'Sair desta conta'}
          </Button>
        </>
      )}
      {link?.needs === 'sign-in' && (
        <>
          <p role="status">
            O endereço <span translate="no">{link.email}</span> já tem uma conta. Entre nela, e depois aceite
            o convite.
          </p>
          <ButtonLink
            to="/login?para=convite"
            onClick={() => {
              invitationToken.keep(token);
              carryEmail(link.email);
            }}
          >
            Entrar
          </ButtonLink>
        </>
      )}
      {link?.needs === 'acceptance' && (
        <>
          <p>
            O papel vale para a sua conta, <span translate="no">{link.email}</span>. Nada mais muda nela.
          </p>
          <Button aria-disabled={pending || undefined} onClick={() => run(() => accept())}>
            {pending ? 'Um momento…' : 'Aceitar o convite'}
          </Button>
        </>
      )}
      {link?.needs === 'new-account' && <NewAccount link={link} accept={accept} look={look} />}
      <FootNote>
        Não esperava este convite? Então não precisa fazer nada. <Link to="/">Ir ao início</Link>
      </FootNote>
    </>
  );
}

const canOf = ({ member }: InvitationLinkState) => roles.find((role) => role.member === member)?.can ?? '';

/** The form for an address without an account. Google can prove the address as well. */
function NewAccount({
  link: { email },
  accept,
  look,
}: {
  link: InvitationLinkState;
  accept: (account: { displayName: string; password: string }) => Promise<void>;
  look: () => void;
}) {
  const { google } = useLoaderData<typeof loader>();
  const form = useForm({
    schema: invitedAccount,
    initial: { displayName: '', password: '' },
    submit: accept,
  });
  return (
    <>
      <p>
        Para aceitar, crie a sua conta com o endereço <span translate="no">{email}</span>. Em{' '}
        <Link to="/privacidade#conta">Privacidade</Link> contamos o que guardamos e por quê.
      </p>
      <OneButtonForm form={form} submit="Criar a conta e aceitar" working="Criando a conta…">
        <TextField {...form.field('displayName')} label="Nome completo" autoComplete="name" />
        {/* Password managers store the password under this name. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField {...form.field('password')} label="Senha" />
      </OneButtonForm>
      {google && <GoogleSignIn stays onSignedIn={look} />}
    </>
  );
}

function Ended() {
  return (
    <>
      <h1>Este convite não vale mais</h1>
      <p role="status">
        Ele já foi usado, venceu, foi retirado ou veio incompleto. Se você já tem conta, é só entrar. Se não,
        peça outro convite à clínica.
      </p>
      <ButtonLink to="/login">Entrar</ButtonLink>
      <FootNote>
        <Link to="/">Voltar ao início</Link>
      </FootNote>
    </>
  );
}
