import { useCallback, useSyncExternalStore } from 'react';
import { hasCode, messageOf } from '#client/client-error.ts';
import { useServices } from '#web/app/services.ts';
import { useToast } from '../toast.tsx';
import { favouritesOf } from './favourites.ts';

/** Returns the store of a user's favourites and its snapshot, which is undefined until they are loaded. */
export function useFavourites(uid: string) {
  const store = favouritesOf(useServices(), uid);
  const { subscribe, getSnapshot } = store;
  return { store, favourites: useSyncExternalStore(subscribe, getSnapshot, getSnapshot) };
}

/**
 * Returns a function that waits for a change of favourites and returns whether the change has succeeded. If
 * not, the function first shows a toast with `problem` and the reason. If the session has ended, the toast
 * leads to the sign-in form at `signIn`.
 */
export function useSaving() {
  const { session } = useServices();
  const notify = useToast();
  return useCallback(
    async (
      problem: string,
      change: Promise<void>,
      signIn = '/login?para=minhas-praticas',
    ): Promise<boolean> => {
      try {
        await change;
        return true;
      } catch (error) {
        if (hasCode(error, 'auth/unauthenticated')) {
          // Refresh first, because the sign-in page opens only if this tab knows that the session has ended.
          await session.refresh().catch(() => {});
          notify(`${problem} Sua sessão terminou.`, {
            action: { label: 'Entrar de novo', to: signIn },
            plain: true,
          });
        } else notify(`${problem} ${reasonOf(error)}`, { plain: true });
        return false;
      }
    },
    [session, notify],
  );
}

/** Returns the reason for the user. `documents/not-found` means that the practice is not public any more. */
const reasonOf = (error: unknown) =>
  hasCode(error, 'documents/not-found') ? 'Ela saiu da biblioteca.' : messageOf(error);
