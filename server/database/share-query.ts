import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { SqliteAdapter } from 'kysely';
import type { Database } from './tables.ts';

/**
 * The shortest time between two queries on PostgreSQL. Sending a query costs as much processor time as
 * several responses, and at thousands of requests in a second this lets more of them share it. SQLite's
 * queries are cheap.
 */
const postgresSpacingMs = 1;

/**
 * Returns a function in which concurrent calls share one query. It runs after every waiting call has arrived,
 * so none gets a stale result.
 */
export function shareQuery<Result>(database: Database, query: () => Promise<Result>): () => Promise<Result> {
  const isSqlite = database.getExecutor().adapter instanceof SqliteAdapter;
  const spacingMs = isSqlite ? 0 : postgresSpacingMs;
  let begunAt = Number.NEGATIVE_INFINITY;
  let asked: Promise<Result> | undefined;
  return () => {
    const isTooSoon = performance.now() - begunAt < spacingMs;
    asked ??= (isTooSoon ? wait(spacingMs) : nextTurn()).then(() => {
      asked = undefined;
      begunAt = performance.now();
      return query();
    });
    return asked;
  };
}
