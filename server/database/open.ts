import { existsSync, statSync } from 'node:fs';
import { Kysely, SqliteAdapter, sql } from 'kysely';
import { type Environment, StartError } from '../environment.ts';
import { whenDatabaseResponds } from './away.ts';
import {
  connect,
  type Database,
  databaseKind,
  listMigrations,
  listPendingMigrations,
  migrate,
  readMigrationNames,
  type Tables,
} from './connect.ts';
import { copyBeforeMigration } from './copy-before-migration.ts';
import {
  requireDatabaseOfFiles,
  requireNotMoved,
  requireOwner,
  sqliteFileIn,
} from './installation/data-folder.ts';
import {
  findInstallation,
  type Installation,
  requireArrived,
  requireContentsFolder,
  requireMoveEnded,
  requireSameStore,
} from './installation/installation.ts';
import { requireNoMove } from './installation/postgres-moves.ts';
import { migrations } from './migrations/migrations.ts';
import { createSqliteLook, isDamaged, requireSound } from './sqlite.ts';

/** A database as a server would find it. */
export type FoundDatabase = {
  /** A connection for reading. The caller closes it. */
  database: Database;
  /** The names of the migrations that the database has had, and of those that a server would run. */
  applied: string[];
  pending: string[];
  installation: Installation;
};

/**
 * Checks that a server can run on the database, and changes nothing.
 * @returns what the database contains; undefined if there is no SQLite database yet
 * @throws StartError when the database is damaged, does not respond, needs a newer version of the program, or
 * is not the one that the site uses
 */
export async function findDatabase(
  environment: Environment,
  timeoutMs?: number,
): Promise<FoundDatabase | undefined> {
  const { dataDir } = environment;
  const isSqlite = databaseKind(environment) === 'sqlite';
  if (isSqlite) {
    requireDatabaseOfFiles(dataDir);
    if (isEmptyFile(sqliteFileIn(dataDir))) return undefined;
  }
  return reportingDamage(environment, async () => {
    const database = isSqlite
      ? new Kysely<Tables>({ dialect: createSqliteLook(sqliteFileIn(dataDir)) })
      : connect({ ...environment, databasePool: 1 });
    try {
      if (isSqlite) await requireSound(database, sqliteFileIn(dataDir));
      return await whenDatabaseResponds(async () => {
        if (!isSqlite) await database.transaction().execute(requireUsablePostgres);
        const pending = await listPendingMigrations(database);
        const applied = await readMigrationNames(database);
        const installation = await findInstallation(database, applied);
        await requireMoveEnded(installation, dataDir);
        return { database, applied, pending, installation };
      }, timeoutMs);
    } catch (error) {
      await database.destroy();
      throw error;
    }
  });
}

/** @throws StartError during a move; an error that counts as "away" on a standby, which refuses writes */
async function requireUsablePostgres(transaction: Database): Promise<void> {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(
    transaction,
  );
  if (rows[0]?.standby) throw standby();
  await requireNoMove(transaction);
}

/** The error of PostgreSQL for a write to a standby: read_only_sql_transaction. */
const standby = () => Object.assign(new Error('PostgreSQL is a standby.'), { code: '25006' });

/**
 * Opens the database for a server, and migrates it. Call `findDatabase` before.
 * @throws StartError when the database does not respond, or has changed meanwhile
 */
export async function openDatabase(environment: Environment): Promise<Database> {
  const database = connect(environment, { isServer: true });
  try {
    if (databaseKind(environment) === 'sqlite') {
      const copy = await copyBeforeMigration(database, environment.dataDir);
      if (copy !== undefined) console.log(`Cópia do banco de dados antes da atualização: ${copy}`);
    }
    const isNew = (await whenDatabaseResponds(() => readMigrationNames(database))).length === 0;
    const migrated = await whenDatabaseResponds(() => migrateUnlessMoving(database));
    if (migrated.length > 0)
      console.log(
        isNew
          ? 'Banco de dados criado'
          : `Banco de dados atualizado: ${migrated.length} ${migrated.length === 1 ? 'mudança' : 'mudanças'}`,
      );
    await whenDatabaseResponds(() => requireArrived(database, environment.dataDir));
    await whenDatabaseResponds(() => requireContentsFolder(database, environment));
    return database;
  } catch (error) {
    // Open connections would delay the exit of the process.
    await database.destroy();
    throw error;
  }
}

/** Refuses to migrate during a move, because the migration would wait until the move ends. */
async function migrateUnlessMoving(database: Database): Promise<string[]> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter))
    await database.transaction().execute(requireNoMove);
  return migrate(database);
}

/**
 * Opens the database for a command. Does not migrate the database, because a server can be running.
 * @param withContents false to skip the check that the environment names the place of the files
 * @throws StartError when the data folder belongs to another user, there is no database yet, another version
 * of the program has migrated it, or the site was moved away
 */
export async function openCurrentDatabase(
  environment: Environment,
  { withContents = true } = {},
): Promise<Database> {
  const { dataDir } = environment;
  requireOwner(dataDir);
  if (databaseKind(environment) === 'sqlite') requireNotMoved(dataDir);
  const none = new StartError(
    `Ainda não há um site ${environment.databaseUrl ? 'no PostgreSQL de DATABASE_URL' : `em ${dataDir}`}: comece antes o servidor, com npm start.`,
  );
  if (databaseKind(environment) === 'sqlite' && !existsSync(sqliteFileIn(dataDir))) throw none;
  return reportingDamage(environment, async () => {
    const database = connect(environment);
    try {
      const names = await whenDatabaseResponds(() => listMigrations(database));
      if (names.length === 0) throw none;
      if (names.length < Object.keys(migrations).length)
        throw new StartError(
          'O banco de dados é de uma versão anterior deste programa: comece antes o servidor desta versão, com npm start, que o atualiza.',
        );
      const installation = await requireArrived(database, dataDir);
      if (withContents) requireSameStore(installation, environment);
      return database;
    } catch (error) {
      await database.destroy();
      throw error;
    }
  });
}

const isEmptyFile = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;

async function reportingDamage<Result>(
  environment: Environment,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (cause) {
    if (!isDamaged(cause)) throw cause;
    throw new StartError(
      `O banco de dados em ${environment.dataDir} está danificado. Nada foi mudado. Recupere uma cópia de segurança; ou, se não há uma recente, rode npm run admin -- recover. docs/backup.md diz como.`,
      { cause },
    );
  }
}
