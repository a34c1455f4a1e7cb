import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect, type SqliteStatement } from 'kysely';

const busyTimeoutMs = 5_000;
const cachedStatements = 200;

/**
 * Kysely's own SQLite dialect on Node's own SQLite.
 * Every commit is on the disk before it is acknowledged: WAL with synchronous=FULL.
 */
export function createSqliteDialect(file: string): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  const statements = new Map<string, SqliteStatement>();

  function prepare(sql: string): SqliteStatement {
    const known = statements.get(sql);
    if (known) return known;
    const prepared = database.prepare(sql);
    const statement: SqliteStatement = {
      reader: prepared.columns().length > 0,
      all: (values) => prepared.all(...values.map(bindable)),
      run: (values) => prepared.run(...values.map(bindable)),
      iterate: (values) => prepared.iterate(...values.map(bindable)),
    };
    if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value ?? '');
    statements.set(sql, statement);
    return statement;
  }

  return new TransactionalDdlDialect({
    database: {
      close: () => database.close(),
      // Takes the write lock at once: a transaction that reads first could otherwise fail at its first write.
      prepare: (sql) => prepare(sql === 'begin' ? 'begin immediate' : sql),
    },
  });
}

/** SQLite can roll a half-done migration back, so a killed one starts again from a whole state. */
class TransactionalDdlDialect extends SqliteDialect {
  override createAdapter() {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl() {
        return true;
      }
    })();
  }
}

/** node:sqlite stores a Date as NULL without a word; refused here so that nothing is lost. */
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A ${Object.prototype.toString.call(value)} cannot be stored in SQLite.`);
}
