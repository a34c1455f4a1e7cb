import { randomUUID } from 'node:crypto';
import { StartError } from '../environment.ts';
import type { Database, DatabaseKind } from './connect.ts';
import { databaseTime } from './database-time.ts';
import { requireNotArriving } from './moves/installation.ts';
import { requireNoMove } from './moves/move-lock.ts';

const renewMs = 10_000;
/** An instance that has not renewed its row for this long counts as killed. */
const aliveMs = 30_000;

/**
 * Keeps a row in the database while this server runs. Does nothing on SQLite, where the lock of the data
 * folder (data-lock.ts) already shows that a server runs.
 * @param report called when the row could not be renewed
 * @returns a function that stops the renewal and deletes the row
 * @throws StartError during a move of the database
 */
export async function announceInstance(
  database: Database,
  kind: DatabaseKind,
  report: (error: unknown) => void,
): Promise<() => Promise<void>> {
  if (kind === 'sqlite') return async () => {};
  const id = randomUUID();
  const seenAt = databaseTime(kind);
  const announce = (on: Database) =>
    on
      .insertInto('instances')
      .values({ id, seenAt })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt }))
      .execute();
  // A move that begins later finds this row and refuses to run. If a move began earlier, `requireNoMove`
  // throws.
  await database.transaction().execute(async (transaction) => {
    await requireNoMove(transaction);
    await requireNotArriving(transaction);
    await announce(transaction);
  });
  await database
    .deleteFrom('instances')
    .where('seenAt', '<', (row) => row(seenAt, '-', aliveMs))
    .execute();
  const timer = setInterval(() => void announce(database).catch(report), renewMs).unref();
  return async () => {
    clearInterval(timer);
    await database.deleteFrom('instances').where('id', '=', id).execute();
  };
}

/**
 * Checks that no server runs on this database. On SQLite, `lockDataFolder` checks this instead.
 * @throws StartError when a server runs, or was killed less than half a minute ago
 */
export async function requireNoInstance(database: Database, kind: DatabaseKind): Promise<void> {
  const alive = await database
    .selectFrom('instances')
    .select('id')
    .where('seenAt', '>=', (row) => row(databaseTime(kind), '-', aliveMs))
    .execute();
  if (alive.length === 0) return;
  throw new StartError(
    `Há ${alive.length === 1 ? 'um servidor' : `${alive.length} servidores`} rodando neste banco de dados. Nada foi mudado. Pare o servidor e tente de novo; depois de uma queda, espere meio minuto.`,
  );
}
