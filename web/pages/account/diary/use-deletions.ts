import { useEffect, useRef, useState } from 'react';
import { messageOf } from '#client/client-error.ts';
import { client } from '#web/app/client.ts';
import { useToast } from '#web/components/toast.tsx';

/** A deletion is final, so its request waits this long for "Desfazer". */
const undoMs = 10_000;

/**
 * Deletes entries after some seconds, during which the user can undo it. Leaving the page sends the waiting
 * requests at once.
 * @returns the ids of the entries that the page hides, and `remove`
 */
export function useDeletions() {
  const notify = useToast();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  /** What sends the request of an entry at once. */
  const waiting = useRef(new Map<string, () => void>());

  useEffect(() => {
    const all = waiting.current;
    const sendAll = () => {
      for (const send of [...all.values()]) send();
    };
    window.addEventListener('pagehide', sendAll);
    return () => {
      window.removeEventListener('pagehide', sendAll);
      sendAll();
    };
  }, []);

  const show = (id: string) => setHidden((before) => new Set([...before].filter((one) => one !== id)));

  /** @param byKeyboard true to move the focus to "Desfazer" */
  function remove(id: string, byKeyboard: boolean) {
    setHidden((before) => new Set(before).add(id));
    const timer = setTimeout(sendNow, undoMs);
    const closeToast = notify('Anotação apagada.', {
      action: { label: 'Desfazer', run: undo },
      focus: byKeyboard,
    });
    waiting.current.set(id, sendNow);

    function undo() {
      clearTimeout(timer);
      // The toast may stay longer than the request waits, while it has the focus.
      if (waiting.current.delete(id)) show(id);
    }
    function sendNow() {
      clearTimeout(timer);
      if (!waiting.current.delete(id)) return;
      closeToast();
      void send();
    }
    async function send() {
      try {
        await (await client.diary()).deleteEntry(id);
      } catch (error) {
        show(id);
        notify(`A anotação não foi apagada. ${messageOf(error)}`, { plain: true });
      }
    }
  }

  return { hidden, remove };
}
