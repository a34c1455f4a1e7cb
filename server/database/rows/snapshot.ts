import { existsSync } from 'node:fs';
import { Kysely } from 'kysely';
import type { Environment } from '../../environment.ts';
import { connect, databaseKind } from '../connect.ts';
import { sqliteFileIn } from '../installation/data-folder.ts';
import { withoutTimeLimit } from '../postgres.ts';
import { createSqliteReader } from '../sqlite.ts';
import type { Database, Tables } from '../tables.ts';
import { copiedTables, tableRows } from './columns.ts';
import { digestTable, type TableDigest } from './rows.ts';

/**
 * Runs `work` in one read transaction on a separate connection. The transaction sees everything that was
 * acknowledged before this call and nothing that is written later. It does not block writers.
 * @throws Error when there is no database
 */
export async function inSnapshot<Result>(
  environment: Pick<Environment, 'databaseUrl' | 'dataDir'>,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const isSqlite = databaseKind(environment) === 'sqlite';
  const file = sqliteFileIn(environment.dataDir);
  // SQLite would create a missing file.
  if (isSqlite && !existsSync(file)) throw new Error(`There is no ${file}.`);
  const database = isSqlite
    ? new Kysely<Tables>({ dialect: createSqliteReader(file) })
    : connect({ ...environment, databasePool: 1 });
  try {
    if (isSqlite) return await database.transaction().execute(work);
    return await withoutTimeLimit(() =>
      database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    );
  } finally {
    await database.destroy();
  }
}

/** Computes the digests of all tables that a backup or a move copies, by the names of the tables. */
export async function digestTables(
  transaction: Database,
  by: 'backups' | 'moves',
): Promise<Record<string, TableDigest>> {
  const digests: Record<string, TableDigest> = {};
  for (const table of copiedTables(by))
    digests[table] = await digestTable(transaction, table, tableRows[table]);
  return digests;
}
