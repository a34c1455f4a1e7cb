import { isUtf8 } from 'node:buffer';
import { sql } from 'kysely';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { copiedTables, tableRows } from '../database/rows/columns.ts';
import { createTableDigest, type TableDigest } from '../database/rows/digest.ts';
import { keyOf, type Row, readRows, WrongValue } from '../database/rows/rows.ts';
import type { Tables } from '../database/tables.ts';
import { StartError } from '../environment.ts';
import type { Progress } from './progress.ts';

export type Digests = Record<string, TableDigest>;
type TableName = keyof Tables;

/** Thrown for a row that the other database cannot hold unchanged. */
export class RowRefused extends StartError {
  constructor(table: string, key: string, options?: ErrorOptions) {
    super(
      `A linha ${key} da tabela ${table} não pode ser guardada como está no outro banco de dados. Os dados do site não foram mudados. Corrija a linha e tente de novo: docs/move.md diz como.`,
      options,
    );
  }
}

/**
 * Reads the rows of all tables that a move copies, and checks that the other database can hold them
 * unchanged.
 * @returns the digests of the tables, and the number of all rows
 * @throws RowRefused
 */
export async function checkRows(
  held: Database,
  kind: DatabaseKind,
  progress: Progress,
): Promise<{ digests: Digests; total: number }> {
  const total = await countRows(held);
  progress.begin('Conferindo os dados', total, 'rows');
  const digests: Digests = {};
  for (const table of copiedTables('moves')) {
    const digest = createTableDigest(tableRows[table].columns);
    await refusingUnreadable(held, table, async () => {
      for await (const page of readRows(held, table, tableRows[table])) {
        for (const row of page) {
          if (kind === 'sqlite') await requireText(held, table, row);
          digest.add(row);
        }
        await progress.add(page.length);
      }
    });
    digests[table] = digest.result();
  }
  progress.end();
  return { digests, total };
}

async function countRows(held: Database): Promise<number> {
  let total = 0;
  for (const table of copiedTables('moves')) {
    const { rows } = await sql<{ count: unknown }>`select count(*) as count from ${sql.table(table)}`.execute(
      held,
    );
    total += Number(rows[0]?.count);
  }
  return total;
}

async function refusingUnreadable(held: Database, table: TableName, read: () => Promise<void>) {
  try {
    await read();
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
