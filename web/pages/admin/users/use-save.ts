import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { hasCode, messageOf } from '#client/client-error.ts';
import type { AdminUserPatch, ListedUser } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { userOf } from '#web/app/session.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { savedNotice } from './user-draft.ts';

const overtaken =
  'Este cadastro mudou depois que você o abriu. O que você escolheu continua aqui: confira e salve de novo.';
const gone = 'Esta conta não existe mais.';

/** Saves changes of a user's record, and reports the result. */
export function useSave(user: ListedUser, onChanged: (user: ListedUser) => void, onLeaving: () => void) {
  const { session } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  const [saved, setSaved] = useState('');
  const [message, setMessage] = useState('');
  const underWay = useRef(false);

  async function save(changes: AdminUserPatch): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    setPending(true);
    setSaved('');
    setMessage('');
    try {
      onChanged(await withSession(() => client.documents.updateListedUser(user, changes)));
      setSaved(savedNotice(changes));
      await followOwnRole(changes);
    } catch (error) {
      setMessage(await explain(error));
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  /** Reads the session again if admins change their own role. Former admins leave the page. */
  async function followOwnRole({ member }: AdminUserPatch) {
    if (member === undefined || userOf(session.getSnapshot())?.id !== user.id) return;
    await session.refresh();
    if (member === 'admin') return;
    onLeaving();
    await navigate(member === 'editor' ? '/admin' : '/');
  }

  async function explain(error: unknown): Promise<string> {
    if (hasCode(error, 'documents/not-found')) return gone;
    if (!hasCode(error, 'documents/precondition-failed')) return messageOf(error);
    const now = await client.documents.refreshListedUser(user).catch(() => undefined);
    if (now) onChanged(now);
    return now ? overtaken : error.message;
  }

  return { pending, saved, message, save, signInAgain };
}
