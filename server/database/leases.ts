import { randomUUID } from 'node:crypto';
import { StartError } from '../environment.ts';
import type { Database, DatabaseKind, Tables } from './connect.ts';
import { databaseTime } from './database-time.ts';
import { requireNotArriving } from './installation/installation.ts';
import { requireNoMove } from './installation/postgres-moves.ts';

type LeaseName = Tables['leases']['name'];

const renewMs = 10_000;
/** How long a killed process keeps its lease. */
const leaseMs = 60_000;

/**
 * Runs a job that only one process at a time may run, across all machines.
 * @param work gets a signal, which is aborted with a StartError when the lease is lost
 * @returns the result of `work`; undefined, without a call of `work`, if another process holds the lease
 */
export async function withLease<Result>(
  { database, databaseKind: kind }: { database: Database; databaseKind: DatabaseKind },
  name: LeaseName,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  const holder = randomUUID();
  if (!(await take(database, kind, name, holder))) return undefined;
  const lost = new AbortController();
  const lose = (cause?: unknown) => lost.abort(leaseLost(cause));
  const timer = setInterval(() => {
    take(database, kind, name, holder).then((held) => held || lose(), lose);
  }, renewMs);
  try {
    return { result: await work(lost.signal) };
  } finally {
    clearInterval(timer);
    const own = database.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder);
    // An error here must not replace the result. If the row stays, the lease expires by itself.
    await own.execute().catch(() => {});
  }
}

const leaseLost = (cause: unknown) =>
  new StartError(
    cause === undefined
      ? 'Outro processo começou o mesmo trabalho, porque este ficou parado por mais de um minuto: este terminou sem resultado. Tente de novo.'
      : 'O banco de dados parou de responder durante o trabalho, que terminou sem resultado. Veja se ele está no ar e tente de novo.',
    { cause },
  );

/** Takes or renews the lease. @returns false while another process holds it */
async function take(
  database: Database,
  kind: DatabaseKind,
  name: LeaseName,
  holder: string,
): Promise<boolean> {
  const now = databaseTime(kind);
  const taken = await database
    .insertInto('leases')
    .values((row) => ({ name, holder, heldUntil: row(now, '+', leaseMs) }))
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({ holder, heldUntil: row(now, '+', leaseMs) }))
        .where((row) => row.or([row('leases.holder', '=', holder), row('leases.heldUntil', '<', now)])),
    )
    .returning('name')
    .executeTakeFirst();
  return taken !== undefined;
}

/** True while a process holds the lease. */
export async function isLeaseHeld(database: Database, kind: DatabaseKind, name: LeaseName): Promise<boolean> {
  const held = await database
    .selectFrom('leases')
    .select('name')
    .where('name', '=', name)
    .where('heldUntil', '>=', databaseTime(kind))
    .executeTakeFirst();
  return held !== undefined;
}

/** An instance that has not renewed its row for this long counts as killed. */
const aliveMs = 30_000;

/**
 * Keeps a row in the database while this server runs. Does nothing on SQLite, where the lock of the data
 * folder (`lockDataFolder`) already shows that a server runs.
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
