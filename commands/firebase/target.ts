import { existsSync } from 'node:fs';
import path from 'node:path';
import { createAuthSecret } from '#server/auth/secret.ts';
import { checkBeforeStart } from '#server/check/check.ts';
import { whenDatabaseResponds } from '#server/database/away.ts';
import { connect, type Database, databaseKind, listMigrations } from '#server/database/connect.ts';
import {
  lockDataFolder,
  prepareDataFolder,
  requireDatabaseOfFiles,
  requireOwner,
  sqliteFileIn,
} from '#server/database/installation/data-folder.ts';
import { lockForMove } from '#server/database/installation/postgres-moves.ts';
import { requireNoInstance } from '#server/database/leases.ts';
import { openCurrentDatabase, openDatabase } from '#server/database/open.ts';
import { withoutTimeLimit } from '#server/database/postgres.ts';
import { requireNewInstallation } from '#server/database/rows/new-installation.ts';
import { type Environment, StartError } from '#server/environment.ts';

/**
 * Locks the data folder of an installation on SQLite, and refuses a folder on which a server runs. With
 * PostgreSQL, `holdTarget` does this instead. Creates the lock file only if `isWriting`, because no server
 * can be running while there is no lock file.
 * @returns a function that releases the lock; undefined if there is no lock file yet
 * @throws StartError
 */
export function lockTarget(environment: Environment, isWriting: boolean): (() => void) | undefined {
  const { dataDir } = environment;
  requireOwner(dataDir);
  if (databaseKind(environment) === 'postgres') return () => {};
  if (!isWriting && !existsSync(path.join(dataDir, 'server.lock'))) return undefined;
  try {
    return lockDataFolder(dataDir);
  } catch (cause) {
    // Only the error about a held lock mentions a server. Other errors say what is wrong with the folder.
    if (!(cause instanceof StartError) || !/servidor/.test(cause.message)) throw cause;
    throw new StartError(`O servidor está no ar em ${dataDir}: pare-o antes. Nada foi importado.`, { cause });
  }
}

/**
 * Opens the database of an empty installation, without changing it.
 * @returns undefined if there is no database yet
 * @throws StartError when a server runs on it, when it is not empty, or when it is of another release
 */
export async function openEmptyTarget(environment: Environment): Promise<Database | undefined> {
  if (!(await hasDatabase(environment))) return undefined;
  const database = await openCurrentDatabase(environment);
  try {
    await requireNoInstance(database, databaseKind(environment));
    const place = environment.databaseUrl ? 'no PostgreSQL de DATABASE_URL' : `em ${environment.dataDir}`;
    await requireNewInstallation(database, place);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Creates the database and the secret of a new installation. @throws StartError like a server's start */
export async function createTarget(environment: Environment): Promise<Database> {
  await checkBeforeStart(environment, 'open');
  await prepareDataFolder(environment.dataDir, databaseKind(environment) === 'sqlite');
  const database = await openDatabase(environment);
  await createAuthSecret(environment);
  return database;
}

/**
 * Runs `write`. Until `write` ends, no server starts on a PostgreSQL database, and no other import or move of
 * that database begins. With SQLite, the lock of the data folder ensures this.
 * @throws StartError when a server, import or move is already running
 */
export async function holdTarget<Result>(
  environment: Environment,
  write: () => Promise<Result>,
): Promise<Result> {
  if (databaseKind(environment) === 'sqlite') return write();
  const holder = connect({ ...environment, databasePool: 1 });
  try {
    const held = await withoutTimeLimit(() => holder.startTransaction().execute());
    try {
      await lockForMove(held);
      await requireNoInstance(held, 'postgres');
      return await write();
    } finally {
      // `write` has its own transaction. An error here must not hide the result of `write`.
      await held
        .rollback()
        .execute()
        .catch(() => {});
    }
  } finally {
    await holder.destroy();
  }
}

async function hasDatabase(environment: Environment): Promise<boolean> {
  const { dataDir } = environment;
  if (databaseKind(environment) === 'sqlite') {
    requireDatabaseOfFiles(dataDir);
    return existsSync(sqliteFileIn(dataDir));
  }
  const database = connect(environment);
  try {
    return (await whenDatabaseResponds(() => listMigrations(database))).length > 0;
  } finally {
    await database.destroy();
  }
}
