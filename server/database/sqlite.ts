import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely';
import { rememberIdentity } from './installation/data-folder.ts';
import { createLogSync, isWithoutSync, type LogSync } from './log-sync.ts';
import { sqliteCodeOf, sqliteCodes } from './sqlite-codes.ts';
import type { Database } from './tables.ts';

const busyTimeoutMs = 5_000;
const cachedStatements = 200;
/**
 * Larger databases are not checked at the start. The check of a database of this size takes a tenth of a
 * second.
 */
const mostCheckedBytes = 64 * 1024 * 1024;
/**
 * The result of a skipped rollback. After some errors, such as a full disk, SQLite itself rolls back. A
 * second rollback would fail, and its error would hide the first one.
 */
const nothingDone = { changes: 0, lastInsertRowid: 0 };
const canWrite = /^(?:commit|insert|update|delete)\b/i;

/**
 * Creates Kysely's SQLite dialect with Node's SQLite. Every commit is on the disk before it is acknowledged.
 * @param syncsInBackground true for servers: other requests go on while the disk writes (log-sync.ts), and
 * commits inside `withoutSync` do not wait for the disk. Kysely's controlled transactions need false, so that
 * the commit itself waits for the disk.
 */
export function createSqliteDialect(file: string, syncsInBackground: boolean): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  const synchronous = syncsInBackground ? 'normal' : 'full';
  database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma foreign_keys = on;`);
  // SQLite overwrites what is deleted, so that no deleted key or personal data stays in unused pages.
  database.exec('pragma secure_delete = on');
  const log = createLogSync(file);
  const requireSameFile = rememberIdentity(file);
  /** True if the current transaction has changed something. */
  let hasChanged = false;
  const statements = new Map<string, SqliteStatement>();

  function prepare(sql: string): SqliteStatement {
    const known = statements.get(sql);
    if (known) return known;
    const prepared = database.prepare(sql);
    const plain = statementOf(prepared);
    const statement: SqliteStatement = canWrite.test(sql)
      ? {
          ...plain,
          all: (values) => runWrite(sql, () => plain.all(values)),
          run: (values) => runWrite(sql, () => plain.run(values)),
        }
      : sql === 'rollback'
        ? { ...plain, run: () => rollBack(prepared) }
        : plain;
    if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value ?? '');
    statements.set(sql, statement);
    return statement;
  }

  /**
   * Runs a statement that can write. If the database file is moved or removed, SQLite continues to write to
   * it, and those writes are lost. In that case, this function refuses commits, and writes outside of a
   * transaction.
   */
  function runWrite<Result>(sql: string, write: () => Result): Result {
    if (sql === 'commit' || !database.isTransaction) requireSameFile();
    const result = write();
    if (sql !== 'commit') hasChanged = true;
    if (hasChanged && !database.isTransaction) {
      log.noteCommit();
      hasChanged = false;
    }
    return result;
  }

  function rollBack(statement: StatementSync) {
    hasChanged = false;
    return database.isTransaction ? statement.run() : nothingDone;
  }

  const config: SqliteDialectConfig = {
    database: {
      close: () => database.close(),
      // Takes the write lock at the beginning. Otherwise a transaction that reads first could fail at its
      // first write.
      prepare: (sql) => prepare(sql === 'begin' ? 'begin immediate' : sql),
    },
  };
  return syncsInBackground ? new SyncingSqliteDialect(config, log) : new TransactionalDdlDialect(config);
}

/**
 * Creates a dialect for reading only. Its transactions do not see what others commit meanwhile, and do not
 * block writers.
 */
export function createSqliteReader(file: string): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  database.exec('pragma query_only = on;');
  return readerDialect(database);
}

/**
 * Creates a dialect that reads a database and leaves its files as they are. Without a log, SQLite would
 * create one to read the database, so it is told that the file does not change. If there is a log, a server
 * runs or was killed. Then SQLite reads the log, too, and changes only `-shm`, which holds locks and no data.
 */
export function createSqliteLook(file: string): SqliteDialect {
  const url = pathToFileURL(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) url.searchParams.set('immutable', '1');
  return readerDialect(new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs }));
}

function readerDialect(database: DatabaseSync): SqliteDialect {
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => statementOf(database.prepare(sql)),
    },
  });
}

const statementOf = (prepared: StatementSync): SqliteStatement => ({
  reader: prepared.columns().length > 0,
  all: (values) => prepared.all(...values.map(bindable)),
  run: (values) => prepared.run(...values.map(bindable)),
  iterate: (values) => prepared.iterate(...values.map(bindable)),
});

/**
 * An adapter that tells Kysely that SQLite can roll back DDL. If a migration is killed, the next attempt then
 * starts from a consistent state.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

class TransactionalDdlDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

class SyncingSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #log: LogSync;

  constructor(config: SqliteDialectConfig, log: LogSync) {
    super(config);
    this.#config = config;
    this.#log = log;
  }

  override createDriver() {
    return new SyncingSqliteDriver(this.#config, this.#log);
  }

  override createAdapter(): SqliteAdapter {
    return new (class extends TransactionalDdlAdapter {
      // The driver itself lends its only connection to one caller at a time, so Kysely need not do this.
      override get supportsMultipleConnections() {
        return true;
      }
    })();
  }
}

/** Refuses a Date, because node:sqlite can store it as NULL without an error. */
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A ${Object.prototype.toString.call(value)} cannot be stored in SQLite.`);
}

/**
 * Checks a database before it is used. It skips a large database, because the check would delay the start.
 * SQLite then reports damage only when it reads the damaged part.
 * @throws DamagedDatabase
 */
export async function requireSound(database: Database, file: string): Promise<void> {
  if (statSync(file).size > mostCheckedBytes) return;
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(database);
  if (rows[0]?.quick_check !== 'ok') throw new DamagedDatabase(rows[0]?.quick_check);
}

class DamagedDatabase extends Error {
  override name = 'DamagedDatabase';
}

/** True if SQLite reports that its file is damaged or is not a database. */
export function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedDatabase) return true;
  return [sqliteCodes.corrupt, sqliteCodes.notADatabase].includes(sqliteCodeOf(error));
}

/**
 * A driver that lends its only connection to one caller at a time. A caller that has written gets its result
 * once its commits are on the disk. Meanwhile the next caller can use the connection.
 */
class SyncingSqliteDriver extends SqliteDriver {
  readonly #log: LogSync;
  /** Resolves when the previous caller has given the connection back. */
  #last: Promise<void> = Promise.resolve();
  #giveBack = () => {};
  #commitsBefore = 0;

  constructor(config: SqliteDialectConfig, log: LogSync) {
    super(config);
    this.#log = log;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    this.#giveBack = resolve;
    this.#commitsBefore = this.#log.commits();
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    const commits = this.#log.commits();
    const hasWritten = commits > this.#commitsBefore;
    this.#giveBack();
    if (hasWritten && !isWithoutSync()) await this.#log.wait(commits);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#log.close();
  }
}
