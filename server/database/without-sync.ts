import { SqliteAdapter, sql } from 'kysely';
import type { Database } from './connect.ts';

/**
 * Commits without waiting for the disk, for what may be a moment older after a power cut: it outlasts the end of this
 * process all the same. With SQLite everybody waits while the disk works, and it would first have to take whatever
 * else is being written. PostgreSQL waits in a process of its own, and is left as it is.
 */
export async function withoutSync<Result>(
  database: Database,
  work: (connection: Database) => Promise<Result>,
): Promise<Result> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter)) return work(database);
  // The only connection there is: nobody else commits meanwhile.
  return database.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
