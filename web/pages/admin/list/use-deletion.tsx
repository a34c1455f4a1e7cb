import { type ReactNode, useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { hasCode, messageOf } from '#client/client-error.ts';
import type { ListedActivity } from '#contract/activity.ts';
import { client } from '#web/app/client.ts';
import { Quoted } from '#web/components/layout/messages.tsx';
import { useToast } from '#web/components/toast.tsx';
import { isTyping } from '../components/shortcuts.tsx';

type Offer = { id: string; undo: () => void; close: () => void };

/**
 * Announces the deletion of an activity and offers to undo it: in a toast, which survives navigations, and
 * with Ctrl+Z or Cmd+Z while the page is open.
 * @param onRestored called when the activity is in its list again
 * @returns `offerUndo`, and `withdraw`, which ends the offer for an activity that was restored in another way
 */
export function useDeletion(onRestored: (activity: ListedActivity) => void) {
  const { revalidate } = useRevalidator();
  const notify = useToast();
  const offers = useRef<Offer[]>([]);

  useEffect(() => {
    function key(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if (isTyping(event.target) || document.querySelector('dialog:modal')) return;
      const offer = offers.current.at(-1);
      if (!offer) return;
      event.preventDefault();
      offer.close();
      offer.undo();
    }
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, []);

  /** @param byKeyboard if true, the toast takes the focus, and stays while it has the focus */
  function offerUndo(
    activity: ListedActivity,
    message: ReactNode,
    { byKeyboard, plain = false }: { byKeyboard: boolean; plain?: boolean },
  ) {
    const undo = () => {
      offers.current = offers.current.filter((one) => one !== offer);
      void restore(activity, byKeyboard);
    };
    const close = notify(message, { action: { label: 'Desfazer', run: undo }, focus: byKeyboard, plain });
    const offer = { id: activity.id, undo, close };
    offers.current.push(offer);
  }

  async function restore(activity: ListedActivity, byKeyboard: boolean) {
    try {
      await client.documents.restoreActivity(activity);
    } catch (error) {
      if (hasCode(error, 'documents/not-found'))
        notify(`Não dá mais para trazer ${activity.title} de volta.`, { plain: true });
      else offerUndo(activity, messageOf(error), { byKeyboard, plain: true });
      return;
    }
    onRestored(activity);
    // Reload the data of the page that is open now; the user may have left the list.
    void revalidate();
  }

  return {
    offerUndo: (activity: ListedActivity, byKeyboard: boolean) =>
      offerUndo(activity, <Quoted english={`${activity.title} deleted`}>Prática deletada.</Quoted>, {
        byKeyboard,
      }),

    withdraw(id: string) {
      for (const offer of offers.current) if (offer.id === id) offer.close();
      offers.current = offers.current.filter((offer) => offer.id !== id);
    },
  };
}
