import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#server/database/connect.ts';
import { withoutSync } from '#server/database/log-sync.ts';
import { AppError } from '#server/http/errors.ts';
import { type Upload, uploadLifeMs } from './uploads.ts';

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
  for (const until = Date.now() + timeoutMs; ; ) {
    const now = Date.now();
    const take = () =>
      database
        .updateTable('uploads')
        .set({ holder, heldUntil: now + leaseMs, wantedAt: 0 })
        .where('id', '=', id)
        .returningAll();
    const free = await withoutSync(() => take().where('holder', 'is', null).executeTakeFirst());
    if (free) return keepLease(database, free, holder, false);
    const stale = await take().where('heldUntil', '<', now).executeTakeFirst();
    if (stale) return keepLease(database, stale, holder, true);
    const asked = await database
      .updateTable('uploads')
      .set({ wantedAt: now })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!asked) return undefined;
    if (now > until) throw new AppError('server/unavailable');
    await wait(pollMs);
  }
}

function keepLease(database: Database, upload: Upload, holder: string, previousExpired: boolean): Lease {
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
        .set({ ...changes, expiresAt: now + uploadLifeMs, heldUntil: now + leaseMs })
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
