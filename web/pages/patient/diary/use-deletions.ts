import { useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { messageOf } from '#client/client-error.ts';
import { client } from '#web/app/client.ts';
import { openQueue } from '#web/app/load-offline.ts';
import { useToast } from '#web/components/toast.tsx';
import { usePatientUid } from '../components/patient-page.tsx';

/** A deletion is final, so its request waits this long for "Desfazer". */
const undoMs = 10_000;
/** A sign-out waits at most this long for the requests. */
const signOutWaitMs = 4_000;

/**
 * Deletes entries after some seconds, during which the user can undo it. Leaving the page sends the waiting
 * requests at once, and a sign-out waits for them.
 * @param gone the ids of entries whose deletion waits on this device
 * @returns the ids of the entries that the page hides, and `remove`
 */
export function useDeletions(gone: readonly string[]) {
  const uid = usePatientUid();
  const notify = useToast();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(gone));
  /** What sends the request of an entry at once. */
  const waiting = useRef(new Map<string, () => Promise<void>>());

  const sendAll = () => Promise.all([...waiting.current.values()].map((send) => send()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: `sendAll` reads only the ref.
  useEffect(() => {
    // A phone can end a hidden page without another event. Another tab can sign out meanwhile.
    const sendIfHidden = () => document.visibilityState === 'hidden' && void sendAll();
    const sendNow = () => void sendAll();
    document.addEventListener('visibilitychange', sendIfHidden);
    window.addEventListener('pagehide', sendNow);
    return () => {
      document.removeEventListener('visibilitychange', sendIfHidden);
      window.removeEventListener('pagehide', sendNow);
      sendNow();
    };
  }, []);

  // After the sign-out, the server would refuse the requests.
  const signOut = useBlocker(
    ({ nextLocation }) => nextLocation.pathname === '/logout' && waiting.current.size > 0,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sendAll` reads only the ref.
  useEffect(() => {
    if (signOut.state !== 'blocked') return;
    const timeLimit = new Promise((resolve) => setTimeout(resolve, signOutWaitMs));
    void Promise.race([sendAll(), timeLimit]).then(() => signOut.proceed());
  }, [signOut]);

  const show = (id: string) => setHidden((before) => new Set([...before].filter((one) => one !== id)));

  /** @param byKeyboard true to move the focus to "Desfazer" */
  function remove(id: string, byKeyboard: boolean) {
    setHidden((before) => new Set(before).add(id));
    const timer = setTimeout(() => void sendNow(), undoMs);
    const closeToast = notify('Anotação apagada.', {
      action: { label: 'Desfazer', run: undo },
      focus: byKeyboard,
    });
    waiting.current.set(id, sendNow);
    // On a chosen device, the deletion is stored at once: a page that closes has no time for it.
    const queued = openQueue(uid ?? '')
      .then((queue) => queue?.removeLater(id))
      .catch(() => undefined);

    function undo() {
      clearTimeout(timer);
      // The toast may stay longer than the request waits, while it has the focus.
      if (!waiting.current.delete(id)) return;
      show(id);
      void queued.then((stored) => stored?.takeBack());
    }
    async function sendNow() {
      clearTimeout(timer);
      if (!waiting.current.delete(id)) return;
      closeToast();
      await send();
    }
    async function send() {
      try {
        const stored = await queued;
        if (stored) await stored.send();
        else await (await client.diary(uid)).deleteEntry(id);
      } catch (error) {
        show(id);
        notify(`A anotação não foi apagada. ${messageOf(error)}`, { plain: true });
      }
    }
  }

  return { hidden, remove };
}
