import { existsSync } from 'node:fs';
import { SqliteAdapter } from 'kysely';
import { type Environment, StartError } from '../environment.ts';
import { whenDatabaseResponds } from './away.ts';
import { connect, type Database, databaseKind, listMigrations, migrate } from './connect.ts';
import { requireContentsFolder } from './contents-folder.ts';
import { copyBeforeMigration } from './copy-before-migration.ts';
import { requireNotMoved, sqliteFileIn } from './data-folder.ts';
import { migrations } from './migrations/migrations.ts';
import { isClosedBy } from './moves/close-postgres.ts';
import { contentsPlace, requireArrived, requireContentsIn } from './moves/installation.ts';
import type { MoveJournal } from './moves/journal.ts';
import { requireNoMove } from './moves/move-lock.ts';
import { isDamaged, requireSound } from './sqlite.ts';

/**
 * @throws StartError when the database is damaged, does not respond, or needs a newer version of the program
 */
export async function openDatabase(environment: Environment): Promise<Database> {
  return reportingDamage(environment, async () => {
    const database = connect(environment, { isServer: true });
    try {
      await prepareDatabase(database, environment);
      return database;
    } catch (error) {
      // Open connections would delay the exit of the process.
      await database.destroy();
      throw error;
    }
  });
}

async function prepareDatabase(database: Database, environment: Environment): Promise<void> {
  if (databaseKind(environment) === 'sqlite') {
    await requireSound(database, sqliteFileIn(environment.dataDir));
    const copy = await copyBeforeMigration(database, environment.dataDir);
    if (copy !== undefined) console.log(`Cópia do banco de dados antes da atualização: ${copy}`);
  }
  const migrated = await whenDatabaseResponds(() => migrateUnlessMoving(database));
  if (migrated.length > 0)
    console.log(
      `Banco de dados atualizado: ${migrated.length} ${migrated.length === 1 ? 'mudança' : 'mudanças'}`,
    );
  const { contents } = await whenDatabaseResponds(() =>
    requireArrived(database, environment.dataDir, isOldClosed),
  );
  requireContentsIn(contents, contentsPlace(environment));
  await whenDatabaseResponds(() => requireContentsFolder(database, environment));
}

/** Refuses to migrate during a move, because the migration would wait until the move ends. */
async function migrateUnlessMoving(database: Database): Promise<string[]> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter))
    await database.transaction().execute(requireNoMove);
  return migrate(database);
}

/**
 * Asks the old PostgreSQL database of a move whether the move has closed it.
 * @throws StartError when it does not respond
 */
export async function isOldClosed({ oldDatabaseUrl, stamp }: MoveJournal): Promise<boolean> {
  const old = connect({ databaseUrl: oldDatabaseUrl, dataDir: '', databasePool: 1 });
  try {
    return await isClosedBy(old, stamp);
  } catch (cause) {
    throw new StartError(
      'A mudança do site para este banco de dados foi interrompida no último passo, e o PostgreSQL antigo, que sabe se ela terminou, não respondeu. Veja se ele está no ar e tente de novo.',
      { cause },
    );
  } finally {
    await old.destroy();
  }
}

/**
 * Opens the database for a command. Does not migrate the database, because a server can be running.
 * @param withContents false to skip the check that the environment names the place of the files
 * @throws StartError when there is no database yet, another version of the program has migrated it, or the
 * site was moved away
 */
export async function openCurrentDatabase(
  environment: Environment,
  { withContents = true } = {},
): Promise<Database> {
  const { dataDir } = environment;
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
      const { contents } = await requireArrived(database, dataDir, isOldClosed);
      if (withContents) requireContentsIn(contents, contentsPlace(environment));
      return database;
    } catch (error) {
      await database.destroy();
      throw error;
    }
  });
}

async function reportingDamage<Result>(
  environment: Environment,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (cause) {
    if (!isDamaged(cause)) throw cause;
    throw new StartError(
      `O banco de dados em ${environment.dataDir} está danificado. Nada foi mudado. Recupere uma cópia de segurança: docs/backup.md diz como.`,
      { cause },
    );
  }
}
