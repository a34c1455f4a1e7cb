import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { connect, type DatabaseKind, migrate } from '../database/connect.ts';
import { lazily } from '../lazily.ts';
import { startPostgres } from './postgres.ts';

/** Tests that depend on the database run on each of these. */
export const databaseKinds = ['sqlite', 'postgres'] as const satisfies readonly DatabaseKind[];

export type TestDatabase = {
  kind: DatabaseKind;
  /** The test's data folder, which contains SQLite's file. */
  dataDir: string;
  databaseUrl: string | undefined;
  /** Must be called once the database is no longer used. */
  remove(): Promise<void>;
};

/** Creates a migrated database for one test: a copy of a template that is migrated once per process. */
export async function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-test-'));
  // Retries, because the server may still be writing a mail: its responses do not wait for mails.
  const removeFolder = () => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  if (kind === 'sqlite') {
    await copyFile(await sqliteTemplate(), path.join(dataDir, 'acolhe.sqlite'));
    return { kind, dataDir, databaseUrl: undefined, remove: removeFolder };
  }
  const { server, template } = await postgresTemplate();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name} template ${template}`);
  // The database goes with its server. Dropping it would make the server write all its data to the disk.
  return { kind, dataDir, databaseUrl: withName(server, name), remove: removeFolder };
}

/** Creates a database of PostgreSQL without tables. @returns its URL */
export async function createEmptyPostgres(): Promise<string> {
  const { server } = await postgresTemplate();
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name}`);
  return withName(server, name);
}

const sqliteTemplate = lazily(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-template-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const database = connect({ dataDir, databaseUrl: undefined });
  await migrate(database);
  await sql`pragma wal_checkpoint(truncate)`.execute(database);
  await database.destroy();
  return path.join(dataDir, 'acolhe.sqlite');
});

const postgresTemplate = lazily(async () => {
  // A server started here ends with this process; the server of the test run ends with the run.
  const server = process.env.TEST_DATABASE_URL ?? (await startPostgres()).url;
  const template = `template_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${template}`);
  const database = connect({ dataDir: '', databaseUrl: withName(server, template) });
  await migrate(database);
  await database.destroy();
  return { server, template };
});

async function administer(server: string, statement: string): Promise<void> {
  const database = connect({ dataDir: '', databaseUrl: server });
  try {
    await sql.raw(statement).execute(database);
  } finally {
    await database.destroy();
  }
}

function withName(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
