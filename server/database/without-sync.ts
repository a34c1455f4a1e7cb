import { SqliteAdapter, sql } from 'kysely';
import type { Database } from './connect.ts';

/**
 * Commits without waiting for the disk. A power cut can lose the last commits; a crash of the process cannot.
 * In SQLite an fsync blocks all requests, and it first has to write other pending data. PostgreSQL waits in a
 * separate process, so it keeps its setting.
 */
export async function withoutSync<Result>(
  database: Database,
  work: (connection: Database) => Promise<Result>,
): Promise<Result> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter)) return work(database);
  // SQLite has only this connection, so no other commit runs during `work`.
  return database.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
