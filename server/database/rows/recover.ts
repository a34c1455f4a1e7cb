import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Environment, StartError } from '../../environment.ts';
import { type Database, migrate } from '../connect.ts';
import { syncFolder } from '../durable-files.ts';
import { sqliteFileIn } from '../installation/data-folder.ts';
import { recordStore } from '../installation/installation.ts';
import { currentNames, migrations } from '../migrations/migrations.ts';
import { sqliteCodeOf, sqliteCodes } from '../sqlite-codes.ts';
import type { Tables } from '../tables.ts';
import { copiedTables, tableRows } from './columns.ts';
import { createSqlite } from './new-installation.ts';
import { type Row, readRow, readRows, WrongValue, writeRows } from './rows.ts';
import type { ColumnKind, Columns } from './table-rows.ts';

export type Recovery = {
  /** The folder in the data folder that keeps the damaged database. */
  kept: string;
  /** The number of rows of each table. */
  rows: Map<keyof Tables, number>;
  /** The tables that have lost rows. */
  damaged: (keyof Tables)[];
};

const largestRowid = Number.MAX_SAFE_INTEGER;
/** The search for readable rows of a table ends after this many failures. */
const mostFailures = 100_000;
const insertedRows = 100;

/**
 * Copies all rows that can be read from a damaged SQLite database into a new one, which takes its place. The
 * damaged one is kept. Nothing changes before the new one is complete.
 * @throws StartError when the database is whole, or when SQLite cannot open it at all
 */
export async function recoverSqlite(environment: Environment, now = new Date()): Promise<Recovery> {
  const { dataDir } = environment;
  const kept = `damaged-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
  const folder = path.join(dataDir, kept);
  requireDamage(sqliteFileIn(dataDir));
  await mkdir(folder, { mode: 0o700 });
  for (const end of ['', '-wal'])
    await cp(sqliteFileIn(dataDir) + end, sqliteFileIn(folder) + end).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
  await syncFolder(folder);
  const found = openDamaged(sqliteFileIn(folder));
  try {
    const last = lastMigrationOf(found);
    return await createSqlite(dataDir, 'recovering', async (database) => {
      await migrate(database, last);
      const recovered = await copyRows(database, found);
      await migrate(database);
      await recordStore(database, environment);
      return { kept, ...recovered };
    });
  } finally {
    found.close();
  }
}

function openDamaged(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // SQLite then reads the schema although some of its rows are damaged, and finds damage inside of pages.
    database.exec('pragma writable_schema = on; pragma cell_size_check = on');
    database.prepare('select count(*) from sqlite_schema').get();
    return database;
  } catch (cause) {
    database.close();
    throw new StartError(
      'O começo do banco de dados está destruído, e nada pôde ser recuperado dele. Nada foi mudado. Recupere um backup: docs/backup.md diz como.',
      { cause },
    );
  }
}

/** @throws StartError when the database is whole */
function requireDamage(file: string) {
  const database = openDamaged(file);
  try {
    const check = database.prepare('pragma integrity_check(1)').get();
    if (check?.integrity_check !== 'ok') return;
  } catch {
    return;
  } finally {
    database.close();
  }
  throw new StartError('O banco de dados está inteiro: não há o que recuperar. Nada foi mudado.');
}

/** Returns the last migration of the database; the newest one if the list is damaged. */
function lastMigrationOf(found: DatabaseSync): string | undefined {
  const newest = Object.keys(migrations).sort().at(-1);
  let names: string[] = [];
  try {
    names = found
      .prepare('select name from kysely_migration')
      .all()
      .map(({ name }) => String(name));
  } catch {
    return newest;
  }
  const last = currentNames(names).sort().at(-1) ?? newest;
  if (last !== undefined && last in migrations) return last;
  throw new StartError(
    `O banco de dados é de uma versão mais nova deste programa (${last}). Nada foi mudado. Use essa versão.`,
  );
}

async function copyRows(database: Database, found: DatabaseSync): Promise<Omit<Recovery, 'kept'>> {
  const existing = new Map((await database.introspection.getTables()).map((table) => [table.name, table]));
  const rows = new Map<keyof Tables, number>();
  const damaged: (keyof Tables)[] = [];
  await database.transaction().execute(async (transaction) => {
    const tables: Table[] = [];
    for (const name of copiedTables('moves')) {
      const made = existing.get(name)?.columns.map((column) => column.name);
      if (!made) continue;
      const { columns, key } = tableRows[name];
      // An earlier version of the program lacks some columns.
      const known = Object.fromEntries(
        Object.entries<ColumnKind>(columns).filter(([one]) => made.includes(one)),
      );
      const table: Table = { name, key, columns: known, defaults: [] };
      for await (const page of readRows(transaction, name, table)) table.defaults.push(...page);
      tables.push(table);
    }
    for (const { name } of tables.toReversed()) await transaction.deleteFrom(name).execute();
    for (const table of tables) {
      const { written, lost } = await copyTable(transaction, found, table);
      // A server needs the rows that migrations insert, even if the damaged database has lost them.
      for (const row of table.defaults) await tryToWrite(transaction, table, [row]);
      rows.set(table.name, written);
      if (lost > 0) damaged.push(table.name);
    }
  });
  return { rows, damaged };
}

/** A table with its columns in the version of the damaged database, and the rows that migrations insert. */
type Table = { name: keyof Tables; key: readonly string[]; columns: Columns; defaults: Row[] };

/**
 * Copies the rows of a table, also if some cannot be read.
 * @returns the number of copied rows; `lost` is not 0 if some rows are lost
 */
async function copyTable(transaction: Database, found: DatabaseSync, table: Table) {
  const counted = { written: 0, lost: 0 };
  let waiting: Row[] = [];
  async function flush() {
    // If a row does not fit to the others, the rows are written one by one.
    const parts = (await tryToWrite(transaction, table, waiting)) ? [] : waiting.map((row) => [row]);
    if (parts.length === 0) counted.written += waiting.length;
    for (const part of parts)
      if (await tryToWrite(transaction, table, part)) counted.written += 1;
      else counted.lost += 1;
    waiting = [];
  }
  const lose = () => {
    counted.lost += 1;
  };
  for (const raw of readUndamaged(found, table, lose)) {
    try {
      waiting.push(readRow(table.name, table, raw));
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      lose();
    }
    if (waiting.length === insertedRows) await flush();
  }
  await flush();
  return counted;
}

/** @returns false if a row refers to a lost row, or has a value of another row that must be unique */
async function tryToWrite(transaction: Database, { name, columns }: Table, rows: Row[]): Promise<boolean> {
  try {
    await writeRows(transaction, name, columns, rows);
    return true;
  } catch (error) {
    if (sqliteCodeOf(error) !== sqliteCodes.constraint) throw error;
    return false;
  }
}

/**
 * Yields the rows of a table that SQLite can read. A damaged page hides the rows in it. Their number is
 * unknown, so the search for the next undamaged page tries rows at growing distances, then halves the gap.
 * @param lose called for each part that cannot be read
 */
function* readUndamaged(
  found: DatabaseSync,
  { name, columns }: Table,
  lose: () => void,
): Generator<Record<string, unknown>> {
  const names = ['rowid as "#"', ...Object.keys(columns).map((column) => `"${column}"`)].join();
  const inRange = `from "${name}" where rowid between ? and ? order by rowid`;
  const [up, down, next] = [
    found.prepare(`select ${names} ${inRange}`),
    found.prepare(`select ${names} ${inRange} desc`),
    found.prepare(`select rowid as "#" ${inRange} limit 1`),
  ];
  let failures = 0;

  /** Yields rows until one cannot be read. @returns the last one that was read, and whether one failed */
  function* read(
    statement: StatementSync,
    from: number,
    to: number,
  ): Generator<Record<string, unknown>, Edge> {
    let last: number | undefined;
    try {
      for (const { '#': rowid, ...row } of statement.iterate(from, to)) {
        last = Number(rowid);
        yield row;
      }
      return { last, isDamaged: false };
    } catch (error) {
      if (![sqliteCodes.corrupt, sqliteCodes.ioError].includes(sqliteCodeOf(error))) throw error;
      failures += 1;
      return { last, isDamaged: true };
    }
  }

  /** Returns the first row after a damaged one that can be read again; undefined if none is found. */
  function findNext(from: number): number | undefined {
    for (let distance = 1; from + distance < largestRowid; distance *= 2) {
      const rows = read(next, from + distance, largestRowid);
      for (let step = rows.next(); ; step = rows.next()) {
        if (!step.done) continue;
        if (!step.value.isDamaged) return step.value.last ?? from + distance;
        break;
      }
    }
    return undefined;
  }

  const parts: [number, number][] = [[1, largestRowid]];
  for (let part = parts.pop(); part && failures < mostFailures; part = parts.pop()) {
    const [from, to] = part;
    const low = yield* read(up, from, to);
    if (!low.isDamaged) continue;
    lose();
    const start = low.last === undefined ? from : low.last + 1;
    if (to === largestRowid) {
      const end = findNext(start);
      if (end !== undefined) parts.push([end, largestRowid]);
      parts.push([start, (end ?? start + mostFailures) - 1]);
      continue;
    }
    const high = yield* read(down, start, to);
    if (!high.isDamaged) continue;
    const end = high.last === undefined ? to : high.last - 1;
    if (start >= end) continue;
    const middle = Math.floor((start + end) / 2);
    parts.push([start, middle], [middle + 1, end]);
  }
}

type Edge = { last: number | undefined; isDamaged: boolean };
