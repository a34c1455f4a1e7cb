import { useState } from 'react';
import type { UserRecord } from '#contract/user.ts';
import { useServices } from '#web/app/services-context.ts';
import { Avatar } from '#web/components/avatar.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { UploadField } from '#web/components/upload/upload-field.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './photo.module.css';

/** Lets a user upload, replace or remove the profile picture. */
export function ProfilePicture({ user: { id, displayName, profilePic } }: { user: UserRecord }) {
  const { client, session } = useServices();
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
