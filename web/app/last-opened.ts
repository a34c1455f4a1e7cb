import * as z from 'zod/mini';
import { openedKey } from './device-memory.ts';
import type { Services } from './services.ts';

/** The number of practices that the list keeps. */
const mostOpened = 6;

/** The list of one user. The device keeps only the list of the last user, because others may use it, too. */
const stored = z.object({ uid: z.string(), ids: z.array(z.string()) });

/** Returns the ids of the practices that this user has opened last on this device, the newest first. */
export function lastOpened(uid: string): string[] {
  try {
    const found = stored.safeParse(JSON.parse(localStorage.getItem(openedKey) ?? 'null'));
    if (found.data?.uid === uid) return found.data.ids;
    localStorage.removeItem(openedKey);
  } catch {
    // The browser blocks storage, or another program has written the value.
  }
  return [];
}

function store(uid: string, ids: string[]) {
  try {
    if (ids.length === 0) localStorage.removeItem(openedKey);
    else localStorage.setItem(openedKey, JSON.stringify({ uid, ids }));
  } catch {
    // The browser blocks storage, or the storage is full.
  }
}

/** Adds a practice to the list of the signed-in user, if there is one. A preview changes no list. */
export async function noteOpened({ session, content }: Services, id: string): Promise<void> {
  if (content.site.basename !== undefined) return;
  const settled = await session.ready().catch(() => undefined);
  if (settled?.status !== 'signed-in') return;
  const { uid } = settled.session.user;
  store(uid, [id, ...lastOpened(uid).filter((one) => one !== id)].slice(0, mostOpened));
}

/** Removes practices from the list of this user. */
export function forgetOpened(uid: string, ids: readonly string[]): void {
  store(
    uid,
    lastOpened(uid).filter((id) => !ids.includes(id)),
  );
}
