import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { epochMs } from '../database-time.ts';
import type { Database } from '../tables.ts';
import type { ColumnKind, Columns } from './table-rows.ts';

/** A row of values that JSON can represent. It is the same whether it comes from SQLite or PostgreSQL. */
export type Row = Readonly<Record<string, RowValue>>;
type RowValue = string | number | boolean | null;

/**
 * The number of rows that the first query reads. It is small, because some tables have very long rows. Later
 * queries read more rows, up to about `pageBytes`.
 */
const firstPageRows = 10;
const mostPageRows = 1_000;
const pageBytes = 512 * 1024;
/** The number of rows in one insert. SQLite accepts at most 32,766 parameters in a statement. */
const insertedRows = 100;

/** Thrown when a value in a database or a backup is not of its column's kind. */
export class WrongValue extends Error {
  override name = 'WrongValue';
  readonly table: string;
  /** The key of the row, as JSON; undefined for a row that is not in a database yet. */
  readonly key: string | undefined;
  constructor({ table, column, key }: { table: string; column: string; key?: string }, kind: ColumnKind) {
    super(`A value of ${table}.${column} is not of the kind ${kind}.`);
    this.table = table;
    this.key = key;
  }
}

/**
 * Returns the key of a row for messages, as JSON. Keys contain nothing personal: random ids, months, and
 * names, for example of lists.
 */
export const keyOf = (row: Readonly<Record<string, unknown>>, key: readonly string[]): string =>
  key.map((name) => JSON.stringify(row[name] ?? null)).join(', ');

/**
 * Reads all rows of a table, a few hundred kilobytes at a time, in the order of the key. The transaction must
 * not see later changes (snapshot.ts). Otherwise a row could be missing or appear twice.
 * @throws WrongValue
 */
export async function* readRows(
  transaction: Database,
  table: string,
  { columns, key }: { columns: Columns; key: readonly string[] },
): AsyncGenerator<Row[]> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const keyColumns = sql.join(key.map((name) => sql.ref(name)));
  let after = sql``;
  let limit = firstPageRows;
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`select ${names} from ${sql.table(table)} ${after}
      order by ${keyColumns} limit ${sql.lit(limit)}`.execute(transaction);
    const last = rows.at(-1);
    if (!last) return;
    const page = rows.map((row) => readRow(table, { columns, key }, row));
    yield page;
    if (rows.length < limit) return;
    after = sql`where (${keyColumns}) > (${sql.join(key.map((name) => last[name]))})`;
    limit = nextLimit(limit, page);
  }
}

function nextLimit(limit: number, page: Row[]): number {
  const bytes = page.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
  return Math.max(1, Math.min(mostPageRows, limit * 10, Math.floor((limit * pageBytes) / bytes)));
}

/** Turns a row of a database into one of JSON's values. @throws WrongValue */
export function readRow(
  table: string,
  { columns, key }: { columns: Columns; key: readonly string[] },
  row: Record<string, unknown>,
): Row {
  const read: Record<string, RowValue> = {};
  for (const [name, kind] of Object.entries(columns)) {
    const value = row[name] ?? null;
    read[name] = value === null ? null : fromDatabase(kind, value);
    if (!isAllowed(kind, read[name]))
      throw new WrongValue({ table, column: name, key: keyOf(row, key) }, kind);
  }
  return read;
}

function fromDatabase(kind: ColumnKind, value: unknown): RowValue {
  // SQLite keeps flags as 0 and 1.
  if (kind === 'flag' && (value === 0 || value === 1)) return value === 1;
  if (kind === 'time' && !Number.isNaN(epochMs(value))) return new Date(epochMs(value)).toISOString();
  return value as RowValue;
}

/**
 * Inserts rows that come from a backup or another database.
 * @param columns the columns of the table in this database
 * @throws WrongValue when a row has other columns or other kinds of values
 */
export async function writeRows(
  transaction: Database,
  table: string,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  const names = Object.keys(columns);
  for (const row of rows) {
    for (const column of names)
      if (!isAllowed(columns[column] ?? 'text', row[column]))
        throw new WrongValue({ table, column }, columns[column] ?? 'text');
    const strange = Object.keys(row).find((name) => !Object.hasOwn(columns, name));
    if (strange !== undefined) throw new WrongValue({ table, column: strange }, 'text');
  }
  for (let start = 0; start < rows.length; start += insertedRows) {
    const values = rows
      .slice(start, start + insertedRows)
      .map((row) => sql`(${sql.join(names.map((name) => row[name]))})`);
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values ${sql.join(values)}`.execute(transaction);
  }
}

function isAllowed(kind: ColumnKind, value: unknown): boolean {
  return value === null || isOfKind[kind](value);
}

const isOfKind: Record<ColumnKind, (value: unknown) => boolean> = {
  flag: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value)),
  number: (value) => Number.isSafeInteger(value),
  text: (value) => typeof value === 'string',
  json: (value) => typeof value === 'string' && isJson(value),
};

const isoTime = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The number of rows of a table, and a digest of their content, in hexadecimal. */
export type TableDigest = { rows: number; digest: string };

const modulus = 1n << 256n;

/**
 * Computes the digest of a table: the sum of the SHA-256 hashes of its rows, modulo 2^256. The order of the
 * rows does not change the sum, so all databases give the same digest.
 */
export function createTableDigest(columns: Columns) {
  const names = Object.keys(columns).sort();
  let rows = 0;
  let sum = 0n;
  return {
    add(row: Row): void {
      const values = JSON.stringify(names.map((name) => [name, row[name] ?? null]));
      sum = (sum + BigInt(`0x${createHash('sha256').update(values).digest('hex')}`)) % modulus;
      rows += 1;
    },
    result: (): TableDigest => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  };
}

/**
 * Reads a table, and computes its digest.
 * @param onPage called with the number of rows of each page that was read
 */
export async function digestTable(
  transaction: Database,
  name: string,
  table: { columns: Columns; key: readonly string[] },
  onPage: (rows: number) => Promise<void> = async () => {},
): Promise<TableDigest> {
  const digest = createTableDigest(table.columns);
  for await (const page of readRows(transaction, name, table)) {
    page.forEach(digest.add);
    await onPage(page.length);
  }
  return digest.result();
}
