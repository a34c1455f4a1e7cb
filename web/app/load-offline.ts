import { loadChunk } from '#client/load-chunk.ts';
import { chosenUid } from './device-memory.ts';

/** Loads the code for use without network. Resolves with undefined on a device that no user has chosen. */
export async function loadOffline(): Promise<typeof import('#web/offline/tab.ts') | undefined> {
  if (chosenUid() === undefined) return undefined;
  return loadChunk('offline', () => import('#web/offline/tab.ts')).catch(() => undefined);
}

/** Opens the queue of the diary, if this user has chosen this device. */
export const openQueue = async (uid: string) =>
  chosenUid() === uid ? (await loadOffline())?.openTabQueue() : undefined;
