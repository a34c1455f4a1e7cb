import { CircleCheck, Info } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Await } from 'react-router';
import * as z from 'zod/mini';
import type { AccountExport } from '#contract/account.ts';
import { displayName } from '#contract/credentials.ts';
import type { UserRecord } from '#contract/user.ts';
import { useServices } from '#web/app/services-context.ts';
import type { SignedIn } from '#web/app/session.ts';
import { Button } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { ProfilePicture } from './photo.tsx';
import styles from './profile.module.css';
import { AccountSection } from './section.tsx';

/** The user's name, email address and photo. `account` says whether the name comes from Google. */
export function Profile({
  signedIn: { session, user },
  account,
}: {
  signedIn: SignedIn;
  account: Promise<AccountExport>;
}) {
  return (
    <AccountSection title="Seus dados" lead="É assim que a clínica reconhece você.">
      {user && <Name user={user} account={account} />}
      <Email {...session.user} />
      {user && <ProfilePicture user={user} />}
    </AccountSection>
  );
}

const nameOnly = z.object({ displayName });

function Name({ user, account }: { user: UserRecord; account: Promise<AccountExport> }) {
  const { client, session } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const notify = useToast();
  const [chosen, setChosen] = useState(false);
  const form = useForm({
    schema: nameOnly,
    initial: { displayName: user.displayName },
    submit: async (input) => {
      await withSession(() => client.documents.updateUser(user.id, input));
      setChosen(true);
      await session.refresh();
      notify('Nome salvo.');
    },
  });

  return (
    <>
      <OneButtonForm form={form} submit="Salvar o nome" working="Salvando…">
        <TextField {...form.field('displayName')} label="Nome completo" autoComplete="name" />
      </OneButtonForm>
      {!chosen && (
        <Suspense>
          {/* Show no error here: the sections below report it. */}
          <Await resolve={account} errorElement={null}>
            {({ nameFromGoogle }) =>
              nameFromGoogle && <p>Este nome vem da sua conta do Google. Se você o mudar aqui, vale o seu.</p>
            }
          </Await>
        </Suspense>
      )}
      {signInAgain}
    </>
  );
}

function Email({ email, emailVerified }: { email: string; emailVerified: boolean }) {
  const { client } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const notify = useToast();

  const resend = () =>
    run(async () => {
      await withSession(() => client.auth.sendVerificationEmail());
      notify(`Enviamos um link para ${email}. Ele vale por 24 horas.`);
    });

  return (
    <div className={styles.item}>
      <h3>Email</h3>
      <p className={styles.value}>{email}</p>
      {emailVerified ? (
        <p className={styles.state} data-good="">
          <CircleCheck /> Confirmado
        </p>
      ) : (
        <>
          <p className={styles.state}>
            <Info /> Ainda não confirmado
          </p>
          <FormMessage {...failure} />
          <Button variant="quiet" size="small" aria-disabled={pending || undefined} onClick={resend}>
            {pending ? 'Enviando…' : 'Reenviar confirmação'}
          </Button>
        </>
      )}
      {signInAgain}
    </div>
  );
}
