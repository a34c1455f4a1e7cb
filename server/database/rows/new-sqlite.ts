import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { connect } from '../connect.ts';
import { syncFolder } from '../durable-files.ts';
import { sqliteFileIn } from '../installation/data-folder.ts';
import type { Database } from '../tables.ts';

/**
 * Makes a new SQLite database in a temporary folder. Then puts it into the data folder, completely or not at
 * all. It replaces a database that has no rows of a site.
 * @param folder the name of the temporary folder in the data folder
 * @param fill creates the tables, and writes all rows
 */
export async function createSqlite<Result>(
  dataDir: string,
  folder: string,
  fill: (database: Database) => Promise<Result>,
): Promise<Result> {
  const unfinished = path.join(dataDir, folder);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const database = connect({ dataDir: unfinished, databaseUrl: undefined });
    let result: Result;
    try {
      result = await fill(database);
      await sql`pragma wal_checkpoint(truncate)`.execute(database);
    } finally {
      await database.destroy();
    }
    const target = sqliteFileIn(dataDir);
    // These files exist if a server has already started on the new installation.
    for (const end of ['-wal', '-shm']) await rm(target + end, { force: true });
    await rename(sqliteFileIn(unfinished), target);
    await syncFolder(dataDir);
    return result;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
