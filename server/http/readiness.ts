import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { sql } from 'kysely';
import type { AppContext } from '../context.ts';
import { AppError } from './errors.ts';
import { within } from './within.ts';

/** Longer than a check takes while all is well, shorter than a balancer's patience. */
const patienceMs = 4_000;

type Watched = Pick<AppContext, 'database' | 'databaseKind' | 'environment' | 'requireSameData'>;

/** What this instance cannot serve without. Each rejects when it is not well. */
const checks: ((context: Watched) => Promise<unknown>)[] = [requireWritableDatabase, requireDataFolder];

/**
 * Whether this instance can serve. What all instances share beside the database, as the file store, is not asked: its
 * loss would take every instance out of the balancer. Requests that come during a check share its answer, so that
 * strangers cannot make it a load.
 * @returns what throws AppError `server/unavailable` when a check fails or does not end in time
 */
export function createReadiness(context: Watched) {
  let underWay: Promise<void> | undefined;

  async function check() {
    const answers = Promise.all(checks.map((one) => one(context)));
    await within(patienceMs, answers).catch((cause: unknown) => {
      throw new AppError('server/unavailable', { cause });
    });
  }

  return (): Promise<void> => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function requireWritableDatabase({ database, databaseKind }: Watched) {
  if (databaseKind === 'sqlite') return sql`select 1`.execute(database);
  // Reads and locks no row, but a standby refuses it with 25006, after which its connections are dropped.
  return sql`select 1 from ${sql.table('activityLists')} where false for key share`.execute(database);
}

async function requireDataFolder({ environment: { dataDir }, requireSameData }: Watched) {
  requireSameData();
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
}
