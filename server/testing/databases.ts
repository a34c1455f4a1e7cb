import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { lazily } from '../concurrency.ts';
import { connect, type DatabaseKind, migrate } from '../database/connect.ts';
import { startPostgres } from './peers/postgres.ts';

/**
 * True for `npm run test:all`. A test that needs PostgreSQL or S3 in a file of `npm test` is defined only
 * then.
 */
export const isFullLevel = process.env.TEST_LEVEL === 'full';

/** Tests that depend on the database run on each of these kinds: SQLite, or PostgreSQL at the full level. */
export const databaseKinds: readonly DatabaseKind[] = isFullLevel ? ['postgres'] : ['sqlite'];

/** Both kinds, for tests that run only at the full level. */
export const allDatabaseKinds = ['sqlite', 'postgres'] as const satisfies readonly DatabaseKind[];

export type TestDatabase = {
  kind: DatabaseKind;
  /** The test's data folder, which contains SQLite's file. */
  dataDir: string;
  databaseUrl: string | undefined;
  /** Must be called when the database is no longer used. */
  remove(): Promise<void>;
};

/**
 * Creates a migrated database for one test, as a copy of a template. On PostgreSQL, it can instead be the
 * database of an earlier test, with its rows restored from the template.
 */
export async function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-test-'));
  // Retries, because the server may still be writing a mail: its responses do not wait for mails.
  const removeFolder = () => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  if (kind === 'sqlite') {
    await copyFile(await sqliteTemplate(), path.join(dataDir, 'acolhe.sqlite'));
    return { kind, dataDir, databaseUrl: undefined, remove: removeFolder };
  }
  const { take, giveBack } = await reusedPostgres();
  const databaseUrl = await take();
  return {
    kind,
    dataDir,
    databaseUrl,
    async remove() {
      await giveBack(databaseUrl);
      await removeFolder();
    },
  };
}

/** Creates a PostgreSQL database without tables. @returns its URL */
export async function createEmptyPostgres(): Promise<string> {
  const { server } = await postgresTemplate();
  return createPostgres(server, 'template1');
}

/**
 * Creates a database. It is deleted only with its server, because `drop database` would write all data to the
 * disk.
 * @returns its URL
 */
async function createPostgres(server: string, template: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // `file_copy` takes half of the processor time of the default strategy.
  await administer(server, `create database ${name} template ${template} strategy file_copy`);
  return withName(server, name);
}

/**
 * Environment variables that tell the processes of a test run where the templates are, so that the templates
 * are migrated only once. A process without these variables, for example of a single test file, makes its own
 * templates.
 */
const sqliteVariable = 'TEST_SQLITE_TEMPLATE';
const postgresVariable = 'TEST_POSTGRES_TEMPLATE';

/**
 * Makes the templates for child processes.
 * @param postgresUrl undefined for no template on PostgreSQL
 * @returns a function that removes the SQLite template
 */
export async function shareTemplates(postgresUrl: string | undefined): Promise<() => void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-templates-'));
  process.env[sqliteVariable] = await makeSqliteTemplate(folder);
  if (postgresUrl)
    process.env[postgresVariable] = withName(postgresUrl, await makePostgresTemplate(postgresUrl));
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Returns the path of a migrated database. */
const sqliteTemplate = lazily(async () => {
  const shared = process.env[sqliteVariable];
  if (shared) return shared;
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return makeSqliteTemplate(folder);
});

const reusedPostgres = lazily(async () => {
  const { server, template } = await postgresTemplate();
  return createReuse(withName(server, template), () => createPostgres(server, template));
});

/** Returns the URL of a running server, and the name of a migrated database in it. */
const postgresTemplate = lazily(async () => {
  const shared = process.env[postgresVariable];
  if (shared) return { server: withName(shared, 'postgres'), template: new URL(shared).pathname.slice(1) };
  // The server stops when this process ends.
  const { url } = await startPostgres();
  return { server: url, template: await makePostgresTemplate(url) };
});

async function makeSqliteTemplate(dataDir: string): Promise<string> {
  const database = connect({ dataDir, databaseUrl: undefined });
  await migrate(database);
  await sql`pragma wal_checkpoint(truncate)`.execute(database);
  await database.destroy();
  return path.join(dataDir, 'acolhe.sqlite');
}

async function makePostgresTemplate(server: string): Promise<string> {
  const template = `template_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${template}`);
  const database = connect({ dataDir: '', databaseUrl: withName(server, template) });
  await migrate(database);
  await database.destroy();
  return template;
}

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

type ReusedPostgres = {
  /** @returns the URL of a database that equals the template */
  take(): Promise<string>;
  /** Gives back a database that no connection uses any more. */
  giveBack(url: string): Promise<void>;
};

/**
 * Keeps the databases that earlier tests of this process no longer use. Restoring the rows of a kept database
 * takes a tenth of the processor time of a new copy, for which PostgreSQL writes about 300 files.
 * @param template the URL of the database from which all others are copied
 * @param create makes a copy and returns its URL
 */
function createReuse(template: string, create: () => Promise<string>): ReusedPostgres {
  const free: string[] = [];
  const original = lazily(() => withDatabase(template, readOriginal));
  return {
    take: async () => free.pop() ?? create(),
    async giveBack(url) {
      const { schema, rows } = await original();
      await withDatabase(url, async (database) => {
        if ((await isInUse(database)) || (await readSchema(database)) !== schema) return;
        await restoreRows(database, rows);
        free.push(url);
      });
    },
  };
}

/** The rows of each table as JSON. */
type Rows = Map<string, string>;

async function readOriginal(database: Kysely<unknown>): Promise<{ schema: string; rows: Rows }> {
  const rows: Rows = new Map();
  for (const name of await listTables(database)) {
    const all = sql<{
      rows: string;
    }>`select coalesce(json_agg(t), '[]')::text as rows from ${sql.table(name)} t`;
    rows.set(name, (await all.execute(database)).rows[0]?.rows ?? '[]');
  }
  return { schema: await readSchema(database), rows };
}

async function restoreRows(database: Kysely<unknown>, rows: Rows) {
  await database.transaction().execute(async (transaction) => {
    // Turns triggers and foreign keys off for this transaction.
    await sql`set local session_replication_role = replica`.execute(transaction);
    await sql.raw([...rows.keys()].map((name) => `delete from "${name}";`).join('')).execute(transaction);
    for (const [name, json] of rows) {
      if (json === '[]') continue;
      const table = sql.table(name);
      await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${json})`.execute(
        transaction,
      );
    }
  });
}

async function listTables(database: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(database);
  return rows.map(({ name }) => name);
}

/** Returns a digest that changes whenever a table, column or index is created, altered or dropped. */
async function readSchema(database: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`
    select md5(string_agg(xmin::text, ' ' order by attrelid, attnum)) as schema from pg_attribute`.execute(
    database,
  );
  return rows[0]?.schema ?? '';
}

/** True if a test has left a connection open. */
async function isInUse(database: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
    database,
  );
  return rows.length > 0;
}

async function withDatabase<Result>(
  databaseUrl: string,
  work: (database: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
  const database = connect({ dataDir: '', databaseUrl, databasePool: 1 });
  try {
    return await work(database as Kysely<unknown>);
  } finally {
    await database.destroy();
  }
}
