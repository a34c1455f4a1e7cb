import { createHash } from 'node:crypto';
import type { Database } from '../tables.ts';
import type { Columns } from './columns.ts';
import { type Row, readRows } from './rows.ts';

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
