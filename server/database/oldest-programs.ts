import { programVersion } from '../program.ts';
import { migrations } from './migrations/migrations.ts';
import type { Database } from './tables.ts';

/**
 * Records for each migration the oldest program that can run after it. Older programs read the records of the
 * migrations that they do not know.
 */
export async function writeOldestPrograms(database: Database): Promise<void> {
  const rows = Object.entries(migrations).map(([migration, { oldestProgram: version }]) => ({
    migration,
    version,
  }));
  await database
    .insertInto('oldestPrograms')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Finds the oldest version of the program that can run on a database after migrations that this program does
 * not know.
 * @returns undefined if the database has no such record for one of these migrations
 */
export async function readOldestProgram(
  database: Database,
  migrationNames: string[],
): Promise<string | undefined> {
  const tables = await database.introspection.getTables();
  if (!tables.some(({ name }) => name === 'oldestPrograms')) return undefined;
  const rows = await database
    .selectFrom('oldestPrograms')
    .select('version')
    .where('migration', 'in', migrationNames)
    .execute();
  if (rows.length < migrationNames.length) return undefined;
  return rows.map(({ version }) => version).reduce((one, other) => (isOlder(one, other) ? other : one));
}

/** True if the version of this program is `version` or a later one. */
export const isThisProgramFrom = (version: string) => !isOlder(programVersion(), version);

/** Compares versions such as `1.2.0`. */
export const isOlder = (version: string, than: string) =>
  version.localeCompare(than, 'en', { numeric: true }) < 0;
