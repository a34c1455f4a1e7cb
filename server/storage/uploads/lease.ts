import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#server/database/connect.ts';
import { withoutSync } from '#server/database/log-sync.ts';
import { AppError } from '#server/http/errors.ts';
import { type Upload, uploadExpiry } from './uploads.ts';

/** A lease expires after this time without a renewal, for example because its holder was killed. */
const leaseMs = 5_000;
const renewMs = 1_000;
const pollMs = 100;
const timeoutMs = 8_000;

/** The exclusive right to write one upload. At any time, at most one request on all instances has it. */
export type Lease = {
  /** The row of the upload, as it was at the start of the lease. */
  upload: Upload;
  /**
   * True if the previous lease expired without being released. The hash that this process remembers may then
   * not match the stored bytes.
   */
  previousExpired: boolean;
  /** Aborted when another request waits for this lease, or when the lease is lost. */
  signal: AbortSignal;
  /** Records how much is stored. @throws AppError `server/unavailable` when the lease is lost */
  note(changes: { offsetBytes: number; storeState?: string }): Promise<void>;
  /**
   * Records how much is stored, and releases the lease. @throws AppError `server/unavailable` when the lease
   * is lost
   */
  noteAndRelease(changes: { offsetBytes: number }): Promise<void>;
  /** Releases the lease; does nothing if it is already released. */
  release(): Promise<void>;
};

/**
 * Waits for the lease of an upload, and asks the current holder to release it. The holder may be an earlier
 * request of the same client, whose broken connection the server has not noticed yet.
 * @returns `undefined` when there is no such upload
 * @throws AppError `server/unavailable` when the holder does not release the lease in time
 */
export async function leaseUpload(database: Database, id: string): Promise<Lease | undefined> {
  const holder = randomUUID();
  const until = Date.now() + timeoutMs;
  while (Date.now() <= until) {
    const taken = await takeLease(database, id, holder);
    if (taken) return keepLease(database, holder, taken);
    if (!(await askHolder(database, id))) return undefined;
    await wait(pollMs);
  }
  throw new AppError('server/unavailable');
}

type Taken = Pick<Lease, 'upload' | 'previousExpired'>;

/** Takes the lease of an upload, if it is free or has expired. */
async function takeLease(database: Database, id: string, holder: string): Promise<Taken | undefined> {
  const now = Date.now();
  const take = database
    .updateTable('uploads')
    .set({ holder, heldUntil: now + leaseMs, wantedAt: 0 })
    .where('id', '=', id)
    .returningAll();
  const free = await withoutSync(() => take.where('holder', 'is', null).executeTakeFirst());
  if (free) return { upload: free, previousExpired: false };
  const expired = await take.where('heldUntil', '<', now).executeTakeFirst();
  return expired && { upload: expired, previousExpired: true };
}

/** Asks the holder of a lease to release it. @returns false when there is no such upload */
async function askHolder(database: Database, id: string): Promise<boolean> {
  const asked = await database
    .updateTable('uploads')
    .set({ wantedAt: Date.now() })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return asked !== undefined;
}

function keepLease(database: Database, holder: string, { upload, previousExpired }: Taken): Lease {
  const abort = new AbortController();
  let heldUntil = Date.now() + leaseMs;
  let released = false;
  const renewal = setInterval(() => void renew(), renewMs);
  const own = () => database.updateTable('uploads').where('id', '=', upload.id).where('holder', '=', holder);

  async function renew() {
    const until = Date.now() + leaseMs;
    try {
      const row = await own().set({ heldUntil: until }).returning('wantedAt').executeTakeFirst();
      if (row) heldUntil = until;
      if (!row || row.wantedAt > 0) abort.abort();
    } catch {
      // The database is unreachable. It may recover before the lease expires.
      if (Date.now() > heldUntil - renewMs) abort.abort();
    }
  }

  async function note(changes: { offsetBytes: number; storeState?: string; holder?: null }) {
    const now = Date.now();
    const row = await withoutSync(() =>
      own()
        .set({ ...changes, expiresAt: uploadExpiry(upload, now), heldUntil: now + leaseMs })
        .returning('id')
        .executeTakeFirst(),
    );
    if (!row) throw new AppError('server/unavailable');
  }

  return {
    upload,
    previousExpired,
    signal: abort.signal,
    note,
    async noteAndRelease(changes) {
      await note({ ...changes, holder: null });
      released = true;
      clearInterval(renewal);
    },
    async release() {
      clearInterval(renewal);
      if (released) return;
      released = true;
      // If this fails, the lease expires by itself.
      await own()
        .set({ holder: null })
        .execute()
        .catch(() => {});
    },
  };
}
