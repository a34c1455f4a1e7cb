import { useEffect, useSyncExternalStore } from 'react';
import type { Clinician } from '#contract/diary/share.ts';
import { client } from '#web/app/client.ts';
import { useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';

let clinicians: readonly Clinician[] = [];
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The users whom patients can allow to read their diaries, as they were last read. */
export const useClinicians = () => useSyncExternalStore(subscribe, () => clinicians);

/** Reads the clinicians again. */
export async function refreshClinicians(): Promise<void> {
  clinicians = await (await client.clinicians()).list();
  for (const listener of listeners) listener();
}

/** Reads the clinicians when an admin opens the admin area. A failure keeps those that are known. */
export function useFreshClinicians() {
  const session = useSession();
  const uid = isAdmin(session) && session.status === 'signed-in' ? session.session.user.uid : undefined;
  useEffect(() => {
    if (uid !== undefined) refreshClinicians().catch(() => undefined);
  }, [uid]);
}

/** True if patients can allow the signed-in user to read their diaries. */
export function useIsClinician(): boolean {
  const session = useSession();
  const known = useClinicians();
  return session.status === 'signed-in' && known.some(({ uid }) => uid === session.session.user.uid);
}
