import { lazy, Suspense, useEffect, useState } from 'react';
import { useLoaderData, useNavigate, useSearchParams } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { loadChunk } from '#client/load-chunk.ts';
import { signUpInput } from '#contract/credentials.ts';
import { towards } from '#web/app/routes/guards.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import { areaWith } from '#web/components/favourites/wanted-path.ts';
import { noteWantedPractice, pathAfterKeeping } from '#web/components/favourites/wanted-practice.ts';
import { TextField } from '#web/components/form/field.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { Notice } from '#web/components/notice.tsx';
import { shortName } from '#web/components/person-name.ts';
import { useToast } from '#web/components/toast.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import { carryEmail, useKeptDestination, useWantedPractice } from './components/between-forms.ts';
import styles from './components/form-parts.module.css';
import {
  ConfirmationField,
  EmailField,
  FootNote,
  GoogleSignIn,
  loadMethods,
  NewPasswordField,
} from './components/form-parts.tsx';

export const loader = loadMethods;

/** What an account gives. Name only what exists. */
const gains = [
  'Você guarda as práticas que fazem bem e as encontra em qualquer aparelho.',
  'Você anota como está em um diário seu, e só mostra a quem escolher.',
  'A sua área é só sua: ninguém mais vê o que você guarda.',
];

const InvitePeople = lazy(() =>
  loadChunk('account/invite-people', async () => ({
    default: (await import('./register/invite-people.tsx')).InvitePeople,
  })),
);

/** Admins invite people on this page; everyone else signs up, or keeps a practice in the area of the user. */
export function Component() {
  const present = useSession();
  const wanted = useWantedPractice();
  const [inviting, setInviting] = useState(false);
  // While the session changes, the form stays: an admin signs in again without losing the input.
  if (present.status !== 'loading' && inviting !== isAdmin(present)) setInviting(!inviting);
  if (!inviting || wanted) return <SignUp />;
  return (
    <Suspense fallback={<Loading />}>
      <InvitePeople />
    </Suspense>
  );
}

/** The sign-up form. If email addresses must be verified, the server sends a mail and starts no session. */
function SignUp() {
  const { google } = useLoaderData<typeof loader>();
  const { session } = useServices();
  const present = useSession();
  const navigate = useNavigate();
  const notify = useToast();
  const [search] = useSearchParams();
  const kept = useKeptDestination();
  const hydrated = useHydrated();
  const [mailedTo, setMailedTo] = useState('');
  const [takenEmail, setTakenEmail] = useState('');
  const wanted = useWantedPractice();
  const form = useForm({
    schema: signUpInput,
    initial: { displayName: '', email: '', password: '', confirmation: '' },
    submit: async (input) => {
      setTakenEmail('');
      noteWantedPractice(search);
      try {
        const signedIn = await session.signUp(input);
        await navigate(await pathAfterKeeping(signedIn, search), { replace: true });
        notify(`Boas-vindas, ${shortName(input.displayName)}! A sua conta está pronta.`);
      } catch (error) {
        const code = error instanceof ClientError ? error.code : undefined;
        if (code === 'auth/email-taken') {
          setTakenEmail(input.email);
          // `ExistingAccountLinks` renders its links after this message.
          throw new ClientError(code, 'Já existe uma conta com este e-mail.', { cause: error });
        }
        if (code !== 'auth/email-not-verified') throw error;
        setMailedTo(input.email);
      }
    },
  });

  const alreadySignedIn = present.status === 'signed-in' && !form.pending;
  useEffect(() => {
    if (alreadySignedIn && wanted) void navigate(areaWith(wanted), { replace: true });
  }, [alreadySignedIn, wanted, navigate]);

  if (mailedTo) {
    return (
      <>
        <PageTitle title="Confira o seu e-mail" />
        <h1>Confira o seu e-mail</h1>
        <p role="status">
          Enviamos uma mensagem para <span translate="no">{mailedTo}</span>. Abra o link que está nela para
          confirmar o endereço e entrar. Se não chegar em alguns minutos, olhe também a pasta de spam.
        </p>
      </>
    );
  }

  // Prerendered HTML has no parameters, and hydration must first render the same.
  const isFirstAdmin = hydrated && search.get(towards) === 'primeiro-acesso';
  return (
    <>
      <PageTitle
        title="Criar uma conta"
        description="Crie uma conta para praticar com os vídeos e áudios da clínica entre uma consulta e outra."
        path="/register"
      />
      <h1>Criar uma conta</h1>
      {alreadySignedIn ? (
        <Notice>
          Você está na conta <span translate="no">{present.session.user.email}</span>. Ao criar outra aqui,
          você sai dela e entra na nova.
        </Notice>
      ) : isFirstAdmin ? (
        <p>Esta conta vai administrar o site da clínica.</p>
      ) : (
        <>
          <div>
            <p>{wanted ? 'Crie a conta, e a prática que você escolheu fica guardada.' : 'Com uma conta:'}</p>
            <ul className={styles.gains}>
              {gains.map((gain) => (
                <li key={gain}>{gain}</li>
              ))}
            </ul>
          </div>
          <p>
            As práticas ficam abertas também sem conta. Em <Link to="/privacidade#conta">Privacidade</Link>{' '}
            contamos o que guardamos e por quê.
          </p>
        </>
      )}
      <OneButtonForm
        form={form}
        submit="Criar a conta"
        working="Criando a conta…"
        help={takenEmail && <ExistingAccountLinks email={takenEmail} />}
      >
        <TextField {...form.field('displayName')} label="Nome completo" autoComplete="name" />
        <EmailField {...form.field('email')} autoComplete="email" />
        <NewPasswordField {...form.field('password')} label="Senha" />
        <ConfirmationField
          {...form.field('confirmation')}
          label="Confirme a Senha"
          password={form.values.password}
        />
      </OneButtonForm>
      {google && <GoogleSignIn />}
      <FootNote>
        Já tem conta? <Link to={kept('/login')}>Entrar</Link>
      </FootNote>
    </>
  );
}

/** Links for a user who already has an account. They pass the email address to the next form. */
function ExistingAccountLinks({ email }: { email: string }) {
  const kept = useKeptDestination();
  const carry = () => carryEmail(email);
  return (
    <span>
      {' Quer '}
      <Link to={kept('/login')} onClick={carry}>
        entrar
      </Link>
      {' ou '}
      <Link to="/login/recover" onClick={carry}>
        recuperar a senha
      </Link>
      ?
    </span>
  );
}
