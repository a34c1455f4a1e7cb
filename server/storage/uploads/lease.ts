import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#server/database/connect.ts';
import { withoutSync } from '#server/database/without-sync.ts';
import { AppError } from '#server/http/errors.ts';
import { type Upload, uploadLifeMs } from './uploads.ts';

/** A lease that is not renewed for so long is over: its process was killed. */
const leaseMs = 5_000;
const renewMs = 1_000;
const pollMs = 100;
const patienceMs = 8_000;

/** The right to write one upload, which one request at a time has, on all instances together. */
export type Lease = {
  /** The upload as it was when the lease began. */
  upload: Upload;
  /** Whether the one before never let go: what it left behind is not to be trusted. */
  previousExpired: boolean;
  /** Aborted when another request wants the upload, or the lease is lost. */
  signal: AbortSignal;
  /** Notes how much is stored. @throws AppError `server/unavailable` when the lease is lost */
  note(changes: { offsetBytes: number; storeState?: string }): Promise<void>;
  /** Notes how much is stored, and lets go. @throws AppError `server/unavailable` when the lease is lost */
  noteAndRelease(changes: { offsetBytes: number }): Promise<void>;
  /** Lets go, unless that has been done. */
  release(): Promise<void>;
};

/**
 * Waits for the lease of an upload, and asks whoever has it to let go: a client whose connection broke comes back
 * before the server has noticed.
 * @returns `undefined` when there is no such upload
 * @throws AppError `server/unavailable` when the other one does not let go
 */
export async function leaseUpload(database: Database, id: string): Promise<Lease | undefined> {
  const holder = randomUUID();
  for (const until = Date.now() + patienceMs; ; ) {
    const now = Date.now();
    const take = (connection: Database) =>
      connection
        .updateTable('uploads')
        .set({ holder, heldUntil: now + leaseMs, wantedAt: 0 })
        .where('id', '=', id)
        .returningAll();
    const free = await withoutSync(database, (connection) =>
      take(connection).where('holder', 'is', null).executeTakeFirst(),
    );
    if (free) return keepLease(database, free, holder, false);
    const stale = await take(database).where('heldUntil', '<', now).executeTakeFirst();
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
  const own = (connection: Database = database) =>
    connection.updateTable('uploads').where('id', '=', upload.id).where('holder', '=', holder);

  async function renew() {
    const until = Date.now() + leaseMs;
    try {
      const row = await own().set({ heldUntil: until }).returning('wantedAt').executeTakeFirst();
      if (row) heldUntil = until;
      if (!row || row.wantedAt > 0) abort.abort();
    } catch {
      // The database is away. It may be back before the lease is over.
      if (Date.now() > heldUntil - renewMs) abort.abort();
    }
  }

  async function note(changes: { offsetBytes: number; storeState?: string; holder?: null }) {
    const now = Date.now();
    const row = await withoutSync(database, (connection) =>
      own(connection)
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
      // Should this fail, the lease ends by itself.
      await own()
        .set({ holder: null })
        .execute()
        .catch(() => {});
    },
  };
}
