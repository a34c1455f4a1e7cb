import { CircleCheck, Info } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Await } from 'react-router';
import * as z from 'zod/mini';
import type { AccountExport } from '#contract/account.ts';
import { displayName } from '#contract/credentials.ts';
import type { SessionInfo, UserRecord } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import type { SignedIn } from '#web/app/session.ts';
import { Avatar } from '#web/components/avatar.tsx';
import { Button } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { UploadField } from '#web/components/upload/upload-field.tsx';
import { useAction } from '#web/components/use-action.ts';

import { EmailChange } from './email-change.tsx';
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
      <Email session={session} account={account} />
      {user && <ProfilePicture user={user} />}
    </AccountSection>
  );
}

const nameOnly = z.object({ displayName });

function Name({ user, account }: { user: UserRecord; account: Promise<AccountExport> }) {
  const { session } = useServices();
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

function Email({
  session: {
    user: { email, emailVerified },
    startedAt,
  },
  account,
}: {
  session: SessionInfo;
  account: Promise<AccountExport>;
}) {
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
      <Suspense>
        {/* Show no error here: the sections below report it. */}
        <Await resolve={account} errorElement={null}>
          {(loaded) => <EmailChange account={loaded} startedAt={startedAt} />}
        </Await>
      </Suspense>
      {signInAgain}
    </div>
  );
}

/** Lets a user upload, replace or remove the profile picture. */
function ProfilePicture({ user: { id, displayName, profilePic } }: { user: UserRecord }) {
  const { session } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const { failure, run } = useAction();
  const notify = useToast();
  const [busy, setBusy] = useState(false);
  const { leaveGuard } = useLeaveGuard(false, busy);

  async function save(next: string | false) {
    await withSession(() => client.documents.updateUser(id, { profilePic: next }));
    // The server deletes a replaced photo, so delete only a removed photo here.
    if (profilePic !== false && next === false) await deleteFile(profilePic);
    await session.refresh();
  }

  /** Deletes a file. A failure is only logged, because the user record no longer names the file. */
  async function deleteFile(url: string) {
    const path = pathOfFile(url);
    if (!path) return;
    const storage = await client.storage();
    await storage
      .delete(path)
      .catch((error: unknown) => console.warn('The old photo was not deleted.', error));
  }

  return (
    <div className={styles.photo}>
      <UploadField
        label="Foto"
        kind="profile-picture"
        folder={`profilePics/${id}`}
        value={profilePic === false ? '' : profilePic}
        onUploaded={save}
        onRemove={() =>
          run(async () => {
            await save(false);
            notify('Foto removida.');
          })
        }
        onBusy={setBusy}
        done="Foto salva."
      >
        {profilePic === false || profilePic.startsWith('/') ? (
          <Avatar name={displayName} photo={profilePic} alt="Sua foto" size="large" />
        ) : (
          // The photo is on another site. Loading it would tell that site that this user visits the page.
          <p>
            A foto ligada à sua conta fica em <span translate="no">{new URL(profilePic).hostname}</span>, e
            não é mostrada aqui.
          </p>
        )}
      </UploadField>
      <FormMessage {...failure} />
      {signInAgain}
      {leaveGuard}
    </div>
  );
}

/** The path of a file that this site stores; `undefined` for all other URLs. */
const pathOfFile = (url: string) => /^\/files\/([^?#]+)/.exec(url)?.[1];
