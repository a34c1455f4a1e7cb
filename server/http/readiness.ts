import { constants } from 'node:fs';
import { access, utimes } from 'node:fs/promises';
import { sql } from 'kysely';
import { shareRun, within } from '../concurrency.ts';
import type { AppContext } from '../context.ts';
import { AppError } from './errors.ts';

/** Longer than a normal check and shorter than a load balancer's usual time-out. */
const timeoutMs = 4_000;

type Watched = Pick<AppContext, 'database' | 'databaseKind' | 'environment' | 'requireSameData'>;

/** The services that this instance needs. Each check rejects when its service is unavailable. */
const checks: ((context: Watched) => Promise<unknown>)[] = [requireWritableDatabase, requireDataFolder];

/**
 * Creates the readiness check of this instance. It does not check the file store: all instances share it, so
 * its failure would make the load balancer remove every instance. Concurrent requests share one check, so
 * that they cannot cause load.
 * @returns a function that throws AppError `server/unavailable` when a check fails or does not finish in time
 */
export function createReadiness(context: Watched) {
  return shareRun(async () => {
    const results = Promise.all(checks.map((one) => one(context)));
    await within(timeoutMs, results).catch((cause: unknown) => {
      throw new AppError('server/unavailable', { cause });
    });
  });
}

async function requireWritableDatabase({ database, databaseKind }: Watched) {
  if (databaseKind === 'sqlite') return sql`select 1`.execute(database);
  // This query locks no row, but a standby refuses it like a write (SQLSTATE 25006). The pool then drops the
  // connections to that standby.
  return sql`select 1 from ${sql.table('activityLists')} where false for key share`.execute(database);
}

async function requireDataFolder({ environment: { dataDir }, requireSameData }: Watched) {
  requireSameData();
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  // A file system that became read-only after an error still passes the check of permissions, but not this
  // write.
  const now = new Date();
  await utimes(dataDir, now, now);
}
