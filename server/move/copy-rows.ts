import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import { copiedTables, tableRows } from '../database/rows/columns.ts';
import { createTableDigest } from '../database/rows/digest.ts';
import { keyOf, type Row, readRows, writeRows } from '../database/rows/rows.ts';
import type { Tables } from '../database/tables.ts';
import { StartError } from '../environment.ts';
import { type Digests, RowRefused } from './check-rows.ts';
import type { Progress } from './progress.ts';

type TableName = keyof Tables;

/**
 * The SQLSTATE classes of a refused row: data exception, integrity constraint violation, program limit
 * exceeded.
 */
const postgresRefusals = /^(?:22|23|54)[0-9A-Z]{3}$/;
/**
 * The result codes of a refused row (https://www.sqlite.org/rescode.html): SQLITE_TOOBIG, SQLITE_CONSTRAINT,
 * SQLITE_MISMATCH.
 */
const sqliteRefusals = [18, 19, 20];

/**
 * Copies the rows of all tables that a move copies. Then reads the copies, and compares their digests with
 * those of the source.
 * @param target a transaction on an empty database of the same version
 * @param checked the digests and the number of the source's rows
 * @throws RowRefused; StartError when a copied table differs from the source
 */
export async function copyRows(
  held: Database,
  target: Database,
  { digests, total }: { digests: Digests; total: number },
  progress: Progress,
): Promise<void> {
  progress.begin('Copiando os dados', total, 'rows');
  for (const table of copiedTables('moves'))
    for await (const page of readRows(held, table, tableRows[table])) {
      await writePage(target, table, page);
      await progress.add(page.length);
    }
  progress.begin('Conferindo a cópia dos dados', total, 'rows');
  for (const table of copiedTables('moves')) {
    const digest = createTableDigest(tableRows[table].columns);
    for await (const page of readRows(target, table, tableRows[table])) {
      page.forEach(digest.add);
      await progress.add(page.length);
    }
    const { rows, digest: sum } = digest.result();
    if (rows !== digests[table]?.rows || sum !== digests[table]?.digest)
      throw new StartError(
        `A cópia da tabela ${table} não ficou igual (${rows} linhas, e eram ${digests[table]?.rows}). A mudança parou.`,
      );
  }
  progress.end();
}

/**
 * Writes rows. If the database refuses them, this function writes them one by one to find the refused row.
 */
async function writePage(target: Database, table: TableName, page: Row[]): Promise<void> {
  const { columns, key } = tableRows[table];
  const write = (rows: Row[]) => withinSavepoint(target, () => writeRows(target, table, columns, rows));
  try {
    await write(page);
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    for (const row of page)
      await write([row]).catch((error: unknown) => {
        throw isRefusal(error) ? new RowRefused(table, keyOf(row, key), { cause: error }) : error;
      });
    throw cause;
  }
}

/** Without a savepoint, PostgreSQL accepts no statement after an error. */
async function withinSavepoint(transaction: Database, work: () => Promise<void>): Promise<void> {
  await sql`savepoint rows_written`.execute(transaction);
  try {
    await work();
    await sql`release savepoint rows_written`.execute(transaction);
  } catch (error) {
    if (isRefusal(error)) await sql`rollback to savepoint rows_written`.execute(transaction);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  const { code = '', errcode = 0 } = error as { code?: string; errcode?: number };
  return postgresRefusals.test(code) || sqliteRefusals.includes(errcode & 0xff);
}

/**
 * Adds what unfinished uploads have stored to `discardedContents`, so that the server removes it. Clients
 * begin these uploads again. Only moves that keep the file store need this.
 */
export async function discardUnfinishedUploads(held: Database, target: Database): Promise<void> {
  const unfinished = await held
    .selectFrom('uploads')
    .select(['key', 'storeState'])
    .where('finishedAt', 'is', null)
    .where((row) =>
      row.not(row.exists(row.selectFrom('files').select('path').whereRef('files.key', '=', 'uploads.key'))),
    )
    .execute();
  for (const { key, storeState } of unfinished)
    await target
      .insertInto('discardedContents')
      .values({ key, storeState })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
