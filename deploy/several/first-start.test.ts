import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { report } from '#hard/figures.ts';
import { connect } from '#server/database/connect.ts';
import { startPgBouncer } from '#server/testing/peers/pgbouncer.ts';
import { startPostgres } from '#server/testing/peers/postgres.ts';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

const rounds = 3;
const instances = 4;

it(`${instances} instances that start at once through PgBouncer on an empty database make one schema`, async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const bouncer = await startPgBouncer(postgres.port);
  t.after(() => bouncer.stop());
  const s3 = await startSwift();
  t.after(() => s3.remove());
  const start = (databaseUrl: string) =>
    startInstance(t, { DATABASE_URL: databaseUrl, ...s3Environment(s3) });
  const alone = await createDatabase(postgres.url, 'alone');
  await (await start(alone)).stop();
  const expected = await readSchema(alone);
  let slowestMs = 0;

  for (let round = 0; round < rounds; round += 1) {
    const database = await createDatabase(postgres.url, `round${round}`);
    const url = bouncer.urlOf(database);
    const servers = await Promise.all(Array.from({ length: instances }, () => start(url)));
    slowestMs = Math.max(slowestMs, ...servers.map(({ readyMs }) => readyMs));
    assert.deepEqual(await readSchema(database), expected);
    const [link, ...others] = servers.map((server) => server.firstAdminPath());
    assert.match(link ?? '', /^\/primeiro-acesso#/);
    for (const other of others) assert.equal(other, link, 'the link for the first admin is the same');
    for (const server of servers) assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    await Promise.all(servers.map((server) => server.stop()));
  }
  report(`${instances} instances start at once on an empty database`, `${rounds} × one schema`, 'one');
  report(`${instances} instances start at once, the slowest`, `${Math.round(slowestMs)} ms`);
});

async function startInstance(t: TestContext, environment: Record<string, string>) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-first-start-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, {
    ...environment,
    PUBLIC_URL: 'http://localhost:3000',
  });
  t.after(() => server.kill());
  return server;
}

async function createDatabase(server: string, name: string): Promise<string> {
  const database = connect({ dataDir: '', databaseUrl: server });
  await sql.raw(`create database ${name}`).execute(database);
  await database.destroy();
  return server.replace(/\/postgres$/, `/${name}`);
}

/** The migrations, columns, indexes, constraints and triggers, and the rows that migrations insert. */
async function readSchema(databaseUrl: string) {
  const database = connect({ dataDir: '', databaseUrl });
  const rowsOf = async (query: string) => (await sql.raw(query).execute(database)).rows;
  try {
    return {
      migrations: await rowsOf('select name from kysely_migration order by name'),
      columns: await rowsOf(
        `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
        where table_schema = 'public' order by 1, 2`,
      ),
      indexes: await rowsOf(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
      constraints: await rowsOf(
        `select conrelid::regclass::text as of, pg_get_constraintdef(oid) as is from pg_constraint
        where connamespace = 'public'::regnamespace order by 1, 2`,
      ),
      triggers: await rowsOf(
        'select pg_get_triggerdef(oid) as is from pg_trigger where not tgisinternal order by 1',
      ),
      lists: await rowsOf('select * from "activityLists" order by name'),
    };
  } finally {
    await database.destroy();
  }
}
