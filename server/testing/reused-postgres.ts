import { type Kysely, sql } from 'kysely';
import { lazily } from '../concurrency.ts';
import { connect } from '../database/connect.ts';

export type ReusedPostgres = {
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
export function createReuse(template: string, create: () => Promise<string>): ReusedPostgres {
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
