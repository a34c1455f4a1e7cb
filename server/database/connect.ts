import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { sqliteFileIn } from '../data-folder.ts';
import type { Environment } from '../environment.ts';
import { migrations } from './migrations/migrations.ts';
import { createPostgresDialect } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type DatabaseKind = 'sqlite' | 'postgres';
export type Database = Kysely<Tables>;

/** Opens PostgreSQL, or SQLite in the data folder, which must exist. */
export function connect(environment: Pick<Environment, 'databaseUrl' | 'dataDir'>): Database {
  const dialect = environment.databaseUrl
    ? createPostgresDialect(environment.databaseUrl)
    : createSqliteDialect(sqliteFileIn(environment.dataDir));
  return new Kysely<Tables>({ dialect });
}

export function databaseKind(environment: Pick<Environment, 'databaseUrl'>): DatabaseKind {
  return environment.databaseUrl ? 'postgres' : 'sqlite';
}

/** Brings the tables to this version. Returns the names of the migrations that were new. */
export async function migrate(database: Database): Promise<string[]> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}
