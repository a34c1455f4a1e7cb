import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { StartError } from '../../environment.ts';
import { connect } from '../connect.ts';
import { syncFolder } from '../durable-files.ts';
import { sqliteFileIn } from '../installation/data-folder.ts';
import type { Database, Tables } from '../tables.ts';
import { copiedTables } from './columns.ts';

/**
 * Tables that can have rows in a new installation: from migrations, from the first start, or from visitors
 * without an account.
 */
const filledAtOnce: ReadonlySet<keyof Tables> = new Set([
  'activityLists',
  'siteState',
  'firstAdminLinks',
  'attempts',
  'spentProofs',
  'verifications',
  'verificationLinks',
  'discardedContents',
  'deletedAccountsKey',
  'diaryMasterKey',
  'backupRuns',
  'backupPlace',
]);

/**
 * Checks that an installation is new: it has no users, activities, files, subscriptions or site content.
 * @param place how the error message names the place of the rows
 * @throws StartError when the installation is not new
 */
export async function requireNewInstallation(database: Database, place: string): Promise<void> {
  // A database of an older version lacks some tables.
  const existing = new Set((await database.introspection.getTables()).map(({ name }) => name));
  const tables = copiedTables('moves').filter((name) => existing.has(name) && !filledAtOnce.has(name));
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(database);
    if (rows.length > 0)
      throw new StartError(
        `Já há dados de um site ${place} (tabela ${table}). Nada foi mudado. Escolha um lugar vazio.`,
      );
  }
}

/** Deletes the rows of a new installation, so that the rows of another one can take their place. */
export async function clearNewInstallation(transaction: Database): Promise<void> {
  for (const table of copiedTables('moves').reverse())
    await sql`delete from ${sql.table(table)}`.execute(transaction);
}

/**
 * Makes a new SQLite database in a temporary folder. Then puts it into the data folder, completely or not at
 * all. It replaces a database that has no rows of a site.
 * @param folder the name of the temporary folder in the data folder
 * @param fill creates the tables, and writes all rows
 */
export async function createSqlite<Result>(
  dataDir: string,
  folder: string,
  fill: (database: Database) => Promise<Result>,
): Promise<Result> {
  const unfinished = path.join(dataDir, folder);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const database = connect({ dataDir: unfinished, databaseUrl: undefined });
    let result: Result;
    try {
      result = await fill(database);
      await sql`pragma wal_checkpoint(truncate)`.execute(database);
    } finally {
      await database.destroy();
    }
    const target = sqliteFileIn(dataDir);
    // These files exist if a server has already started on the new installation.
    for (const end of ['-wal', '-shm']) await rm(target + end, { force: true });
    await rename(sqliteFileIn(unfinished), target);
    await syncFolder(dataDir);
    return result;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
