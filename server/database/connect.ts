import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type Environment, StartError } from '../environment.ts';
import { migrations } from './migrations/migrations.ts';
import { createPostgresDialect } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type DatabaseKind = 'sqlite' | 'postgres';
export type Database = Kysely<Tables>;

/** @throws StartError when the data folder cannot be used */
export function connect(environment: Pick<Environment, 'databaseUrl' | 'dataDir'>): Database {
  const dialect = environment.databaseUrl
    ? createPostgresDialect(environment.databaseUrl)
    : createSqliteDialect(sqliteFile(environment.dataDir));
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

function sqliteFile(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new StartError(`A pasta de dados ${dataDir} não aceita gravação: escolha outra com DATA_DIR.`, {
      cause,
    });
  }
  return path.join(dataDir, 'acolhe.sqlite');
}
