import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ShowProgress } from '../backup/progress.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { copiedTables, tableRows } from '../database/rows/columns.ts';
import {
  createTableDigest,
  digestTable,
  keyOf,
  type Row,
  readRows,
  type TableDigest,
  WrongValue,
  writeRows,
} from '../database/rows/rows.ts';
import { sqliteCodeOf, sqliteCodes } from '../database/sqlite-codes.ts';
import type { Tables } from '../database/tables.ts';
import { StartError } from '../environment.ts';

type TableName = keyof Tables;

/** Thrown for a row that the other database cannot hold unchanged. */
class RowRefused extends StartError {
  constructor(table: string, key: string, options?: ErrorOptions) {
    super(
      `A linha ${key} da tabela ${table} não pode ser guardada como está no outro banco de dados. Os dados do site não foram mudados. Corrija a linha e tente de novo: docs/move.md diz como.`,
      options,
    );
  }
}

/**
 * The SQLSTATE classes of a refused row: data exception, integrity constraint violation, program limit
 * exceeded.
 */
const postgresRefusals = /^(?:22|23|54)[0-9A-Z]{3}$/;
const sqliteRefusals = [sqliteCodes.tooBig, sqliteCodes.constraint, sqliteCodes.mismatch];

/**
 * Copies the rows of all tables that a move copies. Then reads the copies, and compares their digests with
 * those of the source.
 * @param held a transaction on the old database, of this kind
 * @param target a transaction on an empty database of the same version
 * @returns the number of rows
 * @throws RowRefused; StartError when a copied table differs from the source
 */
export async function copyRows(
  { held, kind }: { held: Database; kind: DatabaseKind },
  target: Database,
  progress: ShowProgress,
): Promise<number> {
  const digests = new Map<TableName, TableDigest>();
  let [copied, compared] = [0, 0];
  for (const table of copiedTables('moves')) {
    const digest = createTableDigest(tableRows[table].columns);
    for await (const page of readAll(held, table)) {
      for (const row of page) {
        if (kind === 'sqlite') await requireText(held, table, row);
        digest.add(row);
      }
      await writePage(target, table, page);
      copied += page.length;
      progress(copied, undefined, 'linhas copiadas');
      // Lets signal handlers run, because SQLite's calls block them.
      await nextTurn();
    }
    digests.set(table, digest.result());
  }
  for (const [table, expected] of digests) {
    const { rows, digest } = await digestTable(target, table, tableRows[table], async (count) => {
      compared += count;
      progress(compared, copied, 'linhas conferidas');
      await nextTurn();
    });
    if (rows !== expected.rows || digest !== expected.digest)
      throw new StartError(
        `A cópia da tabela ${table} não ficou igual (${rows} linhas, e eram ${expected.rows}). A mudança parou.`,
      );
  }
  return copied;
}

/** Reads all rows of a table. @throws RowRefused */
async function* readAll(held: Database, table: TableName): AsyncGenerator<Row[]> {
  try {
    yield* readRows(held, table, tableRows[table]);
  } catch (cause) {
    if (cause instanceof WrongValue) throw new RowRefused(table, cause.key ?? '', { cause });
    // node:sqlite cannot read an integer above 2^53, and its error does not name the row.
    if ((cause as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw cause;
    throw new RowRefused(table, await findLargeNumber(held, table), { cause });
  }
}

async function findLargeNumber(held: Database, table: TableName): Promise<string> {
  const { key, columns } = tableRows[table];
  const numbers = Object.entries(columns).filter(([, kind]) => kind === 'number');
  const isLarge = numbers.map(
    ([name]) => sql`(typeof(${sql.ref(name)}) = 'integer' and abs(${sql.ref(name)} / 2) > ${2 ** 52 - 1})`,
  );
  const names = sql.join(key.map((name) => sql`cast(${sql.ref(name)} as text) as ${sql.ref(name)}`));
  const { rows } = await sql<Record<string, unknown>>`select ${names} from ${sql.table(table)}
    where ${sql.join(isLarge, sql` or `)} limit 1`.execute(held);
  return keyOf(rows[0] ?? {}, key);
}

/**
 * Refuses string values that PostgreSQL cannot store because they contain NUL. Also refuses string values
 * that are not stored as UTF-8, because SQLite's driver has replaced bytes in them.
 */
async function requireText(held: Database, table: TableName, row: Row): Promise<void> {
  const { key } = tableRows[table];
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string') continue;
    const refused =
      value.includes('\0') ||
      !value.isWellFormed() ||
      (value.includes('\uFFFD') && !(await isStoredAsUtf8(held, { table, row, name })));
    if (refused) throw new RowRefused(table, keyOf(row, key));
  }
}

async function isStoredAsUtf8(
  held: Database,
  { table, row, name }: { table: TableName; row: Row; name: string },
): Promise<boolean> {
  const { key } = tableRows[table];
  // If bytes of the key itself were replaced, the query finds no row. The result is then false.
  const isRow = sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  );
  const { rows } = await sql<{ bytes: string }>`select hex(${sql.ref(name)}) as bytes
    from ${sql.table(table)} where ${isRow}`.execute(held);
  return rows.length > 0 && rows.every(({ bytes }) => isUtf8(Buffer.from(bytes, 'hex')));
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
  const { code = '' } = error as { code?: string };
  return postgresRefusals.test(code) || sqliteRefusals.includes(sqliteCodeOf(error));
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
