import { ClientError } from '#client/client-error.ts';
import { loadChunk } from '#client/load-chunk.ts';
import { chosenUid } from './device-memory.ts';
import type { SessionStore } from './session.ts';

/** Loads the code for use without network. Resolves with undefined on a device that no user has chosen. */
export async function loadOffline(): Promise<typeof import('#web/offline/tab.ts') | undefined> {
  if (chosenUid() === undefined) return undefined;
  return loadChunk('offline', () => import('#web/offline/tab.ts')).catch(() => undefined);
}

/** Opens the queue of the diary, if this user has chosen this device. */
export const openQueue = async (uid: string) =>
  chosenUid() === uid ? (await loadOffline())?.openTabQueue() : undefined;

/** How long a sign-out waits until what waits on this device is sent. */
const sendMs = 4_000;

/** Sends what waits on this device. @returns true if something is left that a sign-out would erase */
export async function hasUnsent(session: SessionStore): Promise<boolean> {
  const uid = chosenUid();
  if (uid === undefined) return false;
  const present = await session.ready().catch(() => undefined);
  // The entries of another user stay on the device.
  if (present?.status === 'signed-in' && present.session.user.uid !== uid) return false;
  const queue = await openQueue(uid);
  if (!queue || (await queue.list()).length === 0) return false;
  await Promise.race([queue.flush(), new Promise((resolve) => setTimeout(resolve, sendMs))]);
  return (await queue.list()).length > 0;
}

/** @throws ClientError if a sign-out would erase what waits on this device */
export async function requireSent(session: SessionStore): Promise<void> {
  const message = 'Neste aparelho há anotações por enviar. No menu, toque em “Sair” para enviar ou apagar.';
  if (await hasUnsent(session)) throw new ClientError('client/unreadable', message);
}
