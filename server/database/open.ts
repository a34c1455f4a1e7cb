import { existsSync } from 'node:fs';
import { type Environment, StartError } from '../environment.ts';
import { whenDatabaseResponds } from './away.ts';
import { connect, type Database, databaseKind, listMigrations, migrate } from './connect.ts';
import { copyBeforeMigration } from './copy-before-migration.ts';
import { sqliteFileIn } from './data-folder.ts';
import { migrations } from './migrations/migrations.ts';
import { isDamaged, requireSound } from './sqlite.ts';

/** @throws StartError when the database is damaged, is of a newer version, or does not respond */
export async function openDatabase(environment: Environment): Promise<Database> {
  return reportingDamage(environment, async () => {
    const database = connect(environment);
    if (databaseKind(environment) === 'sqlite') {
      await requireSound(database, sqliteFileIn(environment.dataDir));
      const copy = await copyBeforeMigration(database, environment.dataDir);
      if (copy !== undefined) console.log(`Cópia do banco de dados antes da atualização: ${copy}`);
    }
    const migrated = await whenDatabaseResponds(() => migrate(database));
    if (migrated.length > 0)
      console.log(
        `Banco de dados atualizado: ${migrated.length} ${migrated.length === 1 ? 'mudança' : 'mudanças'}`,
      );
    return database;
  });
}

/**
 * Opens the database for a command, and changes nothing: a server can be running.
 * @throws StartError when there is no database yet, or it is not of this version
 */
export async function openCurrentDatabase(environment: Environment): Promise<Database> {
  const { dataDir } = environment;
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
