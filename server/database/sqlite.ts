import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';

const busyTimeoutMs = 5_000;
const cachedStatements = 200;

/**
 * Kysely's own SQLite dialect on Node's own SQLite.
 * Every commit is on the disk before it is acknowledged: WAL with synchronous=FULL.
 */
export function createSqliteDialect(file: string): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  const statements = new Map<string, StatementSync>();

  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value ?? '');
    statements.set(sql, statement);
    return statement;
  };

  return new TransactionalDdlDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => {
        // Takes the write lock at once: a transaction that reads first could otherwise fail at its first write.
        const statement = prepare(sql === 'begin' ? 'begin immediate' : sql);
        return {
          reader: statement.columns().length > 0,
          all: (values) => statement.all(...values.map(bindable)),
          run: (values) => statement.run(...values.map(bindable)),
          iterate: (values) => statement.iterate(...values.map(bindable)),
        };
      },
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
