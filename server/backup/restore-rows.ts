import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  connect,
  type Database,
  type DatabaseKind,
  databaseKind,
  listMigrations,
  lockMigrations,
  migrate,
} from '../database/connect.ts';
import { recordStore } from '../database/installation/installation.ts';
import { commitForCertain } from '../database/lost-commit.ts';
import { createSqlite, requireNewInstallation } from '../database/rows/new-installation.ts';
import { digestTable, type Row, WrongValue, writeRows } from '../database/rows/rows.ts';
import { removeLostClinicians } from '../diary/sharing/clinicians.ts';
import { endRestoredShares } from '../diary/sharing/shares.ts';
import { type Environment, StartError } from '../environment.ts';
import { endRestoredIssues } from '../newsletter/issues.ts';
import { stopRestoredReminders } from '../reminders/reminders.ts';
import { deleteAgain } from './delete-again.ts';
import { listFileReferences } from './file-references.ts';
import { forgetDestination } from './place/claim-destination.ts';
import type { ShowProgress } from './progress.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import type { SnapshotContents } from './snapshot/read-snapshot.ts';
import type { SnapshotLine } from './snapshot/snapshot-format.ts';

/** The rows of a snapshot, and how to restore them. */
export type RowSource = {
  snapshot: SnapshotContents;
  /** Reads the lines of the snapshot again. */
  lines: () => AsyncIterable<SnapshotLine>;
  /**
   * Returns a function that tells whether an id was deleted after the backup.
   * @param key the key of the hashes of deleted ids
   */
  isDeleted: (key: string) => Promise<(uid: string) => boolean>;
  /** True to leave out the second factors, which a new secret cannot decrypt. */
  withoutSecondFactors: boolean;
  progress: ShowProgress;
  /** Stops the restore, which then changes nothing. */
  signal: AbortSignal;
};

export type RestoredRows = { rows: Map<string, number>; deletedAgain: number; dangling: string[] };

const insertedRows = 100;

/**
 * Puts the rows of a snapshot into an empty database: all of them, or none. On SQLite the rows go into a new
 * file, which is renamed at the end; on PostgreSQL everything is one transaction.
 * @throws StartError when the database cannot take the rows; DamagedBackup when the restored rows differ from
 * the backup; the reason of the signal when it is aborted
 */
export async function restoreRows(environment: Environment, source: RowSource): Promise<RestoredRows> {
  return databaseKind(environment) === 'sqlite'
    ? restoreToSqlite(environment, source)
    : restoreToPostgres(environment, source);
}

async function restoreToSqlite(environment: Environment, source: RowSource): Promise<RestoredRows> {
  return createSqlite(environment.dataDir, 'restoring', async (database) => {
    await migrate(database, source.snapshot.header.lastMigration);
    await database.transaction().execute((transaction) => fill(transaction, source));
    await requireNotStopped(source);
    await migrate(database);
    const restored = await database
      .transaction()
      .execute((transaction) => finish(transaction, environment, source));
    await requireNotStopped(source);
    return restored;
  });
}

async function restoreToPostgres(environment: Environment, source: RowSource): Promise<RestoredRows> {
  const database = connect({ ...environment, databasePool: 1 });
  try {
    return await commitForCertain(database, 'postgres', async (transaction) => {
      // With this lock, a server that starts during the restore waits until the rows are there.
      await lockMigrations(transaction);
      const last = (await listMigrations(transaction)).sort().at(-1);
      if (last !== undefined && last !== source.snapshot.header.lastMigration)
        throw new StartError(
          'O backup é de uma versão anterior deste programa, e o banco de dados já tem tabelas. Nada foi mudado. Escreva em DATABASE_URL um banco de dados novo, sem tabelas.',
        );
      await migrate(transaction, source.snapshot.header.lastMigration);
      await requireNewInstallation(transaction, 'no PostgreSQL de DATABASE_URL');
      await fill(transaction, source);
      await migrate(transaction);
      const restored = await finish(transaction, environment, source);
      await requireNotStopped(source);
      return restored;
    });
  } finally {
    await database.destroy();
  }
}

/**
 * Inserts the rows while the tables are still those of the program version that made the backup. Then
 * compares the rows with the backup.
 */
async function fill(transaction: Database, source: RowSource): Promise<void> {
  const { snapshot, lines, progress } = source;
  const tables = new Map(snapshot.header.tables.map((table) => [table.name, table]));
  const all = [...snapshot.tables.values()].reduce((sum, { rows }) => sum + rows, 0);
  let [written, compared] = [0, 0];
  // Deletes the rows that migrations have inserted into some of the tables.
  for (const name of [...tables.keys()].reverse())
    await sql`delete from ${sql.table(name)}`.execute(transaction);
  let waiting: Row[] = [];
  for await (const line of lines()) {
    if ('table' in line) waiting.push(line.row);
    const name = 'table' in line ? line.table : 'tableEnd' in line ? line.tableEnd : undefined;
    if (name === undefined) continue;
    const columns = tables.get(name)?.columns;
    if (!columns) throw new DamagedBackup(`The table ${name} is not declared.`);
    if (waiting.length < insertedRows && 'table' in line) continue;
    await writeRows(transaction, name, columns, waiting).catch((cause: unknown) => {
      throw cause instanceof WrongValue ? new DamagedBackup(cause.message, { cause }) : cause;
    });
    await requireNotStopped(source);
    written += waiting.length;
    progress(written, all, 'linhas gravadas');
    waiting = [];
  }
  for (const [name, table] of tables) {
    const { rows, digest } = await digestTable(transaction, name, table, async (count) => {
      await requireNotStopped(source);
      compared += count;
      progress(compared, all, 'linhas conferidas');
    });
    const expected = snapshot.tables.get(name);
    if (expected?.rows !== rows || expected.digest !== digest)
      throw new DamagedBackup(`The table ${name} differs from the backup.`);
  }
}

/**
 * Returns to the event loop, so that the handlers of SIGINT and SIGTERM can run. SQLite's calls block the
 * loop.
 * @throws the reason of the abort if `signal` is aborted
 */
async function requireNotStopped({ signal }: RowSource): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

/** Adjusts the restored rows to the target, once the tables are those of the current program version. */
async function finish(
  transaction: Database,
  environment: Environment,
  { snapshot, isDeleted, withoutSecondFactors }: RowSource,
): Promise<RestoredRows> {
  for (const key of new Set(snapshot.leftOut.map((content) => content.split('.')[0] ?? '')))
    await transaction.deleteFrom('files').where('key', '=', key).execute();
  if (withoutSecondFactors) {
    await transaction.deleteFrom('twoFactors').execute();
    await transaction.updateTable('users').set({ twoFactorEnabled: false }).execute();
    await removeLostClinicians(transaction);
  }
  // A server with another file store may have started on this database, and recorded its own.
  await recordStore(transaction, environment);
  await forgetDestination(transaction);
  await endRestoredIssues(transaction);
  await endRestoredShares(transaction);
  await stopRestoredReminders(transaction);
  const deletedAgain = await deleteAllAgain(transaction, databaseKind(environment), isDeleted);
  const rows = new Map<string, number>();
  for (const { name } of snapshot.header.tables) rows.set(name, snapshot.tables.get(name)?.rows ?? 0);
  return { rows, deletedAgain, dangling: await findDanglingReferences(transaction) };
}

/** Deletes the accounts that were deleted after the backup, with all their data. @returns their number */
async function deleteAllAgain(
  transaction: Database,
  kind: DatabaseKind,
  isDeleted: RowSource['isDeleted'],
): Promise<number> {
  const { key } = (await transaction.selectFrom('deletedAccountsKey').select('key').executeTakeFirst()) ?? {};
  if (key === undefined) return 0;
  return deleteAgain(transaction, kind, await isDeleted(key));
}

/** Returns the paths that rows refer to, although no such file exists. */
async function findDanglingReferences(database: Database): Promise<string[]> {
  const references = await listFileReferences(database);
  const files = await database.selectFrom('files').select('path').execute();
  const existing = new Set(files.map((file) => file.path));
  return [...new Set(references.map((reference) => reference.path))].filter((file) => !existing.has(file));
}
