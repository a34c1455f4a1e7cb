import { Kysely, SqliteAdapter, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { defaultDatabasePool, type Environment, StartError } from '../environment.ts';
import { sqliteFileIn } from './installation/data-folder.ts';
import { wasMoved } from './installation/postgres-moves.ts';
import { currentNames, isReplaced, migrations } from './migrations/migrations.ts';
import { isThisProgramFrom, readOldestProgram, writeOldestPrograms } from './oldest-programs.ts';
import { createPostgresDialect, withoutTimeLimit } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Database, DatabaseKind, Tables } from './tables.ts';

export type { Database, DatabaseKind, Tables };

/**
 * The id of the advisory lock that Kysely takes for migrations. This program takes the lock itself. Its older
 * versions let Kysely take it, so they cannot migrate at the same time as this version.
 */
const migrationLock = 3_853_314_791_062_309_107n;

/**
 * Opens PostgreSQL, or SQLite in the data folder, which must exist.
 * @param options `isServer` is true if the connection must not block other requests, as in a server. Kysely's
 * controlled transactions are then not available.
 */
export function connect(
  {
    databaseUrl,
    dataDir,
    databasePool = defaultDatabasePool,
  }: Pick<Environment, 'databaseUrl' | 'dataDir'> & Partial<Pick<Environment, 'databasePool'>>,
  { isServer = false } = {},
): Database {
  const dialect = databaseUrl
    ? createPostgresDialect(databaseUrl, databasePool)
    : createSqliteDialect(sqliteFileIn(dataDir), isServer);
  return new Kysely<Tables>({ dialect });
}

export function databaseKind(environment: Pick<Environment, 'databaseUrl'>): DatabaseKind {
  return environment.databaseUrl ? 'postgres' : 'sqlite';
}

/**
 * Returns the names of the migrations that this database has had; the list is empty for a new database.
 * @throws StartError when a newer version of the program has migrated the database, or the site was moved
 * away
 */
export async function listMigrations(database: Database): Promise<string[]> {
  const names = await readNamesHere(database);
  const newer = names.filter(isUnknown);
  if (newer.length > 0) throw newerDatabase(newer);
  return names;
}

/** @throws StartError when the site was moved away */
async function readNamesHere(database: Database): Promise<string[]> {
  const names = await readMigrationNames(database);
  if (!wasMoved(names)) return names;
  throw new StartError(
    'O site foi mudado deste banco de dados para outro lugar; aqui só está a cópia antiga. Confira DATABASE_URL: docs/move.md diz o que fazer.',
  );
}

const isUnknown = (migration: string) => !(migration in migrations);

/** True if a newer version of the program has migrated the database. */
export async function hasNewerMigrations(database: Database): Promise<boolean> {
  return (await readMigrationNames(database)).some(isUnknown);
}

const newerDatabase = (unknown: string[], oldestProgram?: string) =>
  new StartError(
    `O banco de dados já é de uma versão mais nova deste programa (${unknown.join(', ')}). Nada foi mudado. Instale essa versão${oldestProgram === undefined ? '' : `, a ${oldestProgram} ou uma mais nova`}, ou recupere uma cópia de segurança anterior a ela: docs/backup.md diz como.`,
  );

/**
 * Returns the names of the migrations that the database has had, or an empty list if it has no tables. After
 * the site was moved away, there is a name that no migration has.
 * @throws StartError when this program cannot migrate the tables of a test version
 */
export async function readMigrationNames(database: Database): Promise<string[]> {
  return currentNames(await readStoredNames(database));
}

async function readStoredNames(database: Database): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table('kysely_migration')}`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns the names of the migrations that `migrate` would run; none if a newer version of the program has
 * migrated the database and this version can run on it. Changes nothing.
 * @throws StartError like `migrate`
 */
export async function listPendingMigrations(database: Database): Promise<string[]> {
  if (await isOfNewerVersion(database)) return [];
  const applied = await readMigrationNames(database);
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

/**
 * Migrates the tables to this version of the program, and returns the names of the new migrations. On
 * PostgreSQL, all migrations run in one transaction that holds the migration lock. So several instances can
 * start concurrently, even behind PgBouncer. If a newer version has migrated the database and this version
 * can run on it, nothing changes.
 * @param database can be a transaction
 * @param last the last migration to run, if the tables of an older version are needed
 * @throws StartError when a newer version has migrated the database and this version cannot run on it
 */
export async function migrate(database: Database, last?: string): Promise<string[]> {
  if (database.isTransaction || database.getExecutor().adapter instanceof SqliteAdapter)
    return migrateTo(database, last);
  return withoutTimeLimit(() =>
    database.transaction().execute(async (transaction) => {
      // A standby refuses this query with 25006. Without the query, a later error of the same transaction
      // would hide the cause.
      await sql`select txid_current()`.execute(transaction);
      await lockMigrations(transaction);
      return migrateTo(transaction, last);
    }),
  );
}

/** Makes other migrations of a PostgreSQL database wait until the end of the transaction. */
export async function lockMigrations(transaction: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction);
}

async function migrateTo(database: Database, last: string | undefined): Promise<string[]> {
  if (await isOfNewerVersion(database)) return [];
  await renameReplaced(database);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error, results } = await (last === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(last));
  if (error) throw error;
  if (last === undefined) await writeOldestPrograms(database);
  return (results ?? []).map(({ migrationName }) => migrationName);
}

/** Gives the rows of replaced migrations the names of today's migrations. The tables are the same. */
async function renameReplaced(database: Database): Promise<void> {
  const stored = await readStoredNames(database);
  const old = stored.filter(isReplaced);
  if (old.length === 0) return;
  const names = currentNames(stored).filter((name) => !stored.includes(name));
  const rename = async (transaction: Database) => {
    const table = sql.table('kysely_migration');
    await sql`delete from ${table} where name in (${sql.join(old)})`.execute(transaction);
    const now = new Date().toISOString();
    for (const name of names) await sql`insert into ${table} values (${name}, ${now})`.execute(transaction);
  };
  await (database.isTransaction ? rename(database) : database.transaction().execute(rename));
}

/**
 * True if a newer version of the program has migrated the database, and this version can still run on its
 * tables.
 * @throws StartError when this version cannot run on the tables, or the site was moved away
 */
async function isOfNewerVersion(database: Database): Promise<boolean> {
  const names = await readNamesHere(database);
  const newer = names.filter(isUnknown);
  if (newer.length === 0) return false;
  const oldest = await readOldestProgram(database, newer);
  if (oldest === undefined || !isThisProgramFrom(oldest)) throw newerDatabase(newer, oldest);
  const missing = Object.keys(migrations).filter((name) => !names.includes(name));
  if (missing.length > 0) throw newerDatabase(newer);
  return true;
}
