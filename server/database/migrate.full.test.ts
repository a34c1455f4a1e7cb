import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { startPgBouncer, type TestPgBouncer } from '../testing/peers/pgbouncer.ts';
import { startPostgres, type TestPostgres } from '../testing/peers/postgres.ts';
import { type SwiftServer, s3Environment, startSwift } from '../testing/peers/swift.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { connect, migrate } from './connect.ts';
import { migrations } from './migrations/migrations.ts';

const names = Object.keys(migrations).sort();

describe('migrations through PgBouncer in transaction mode', () => {
  let postgres: TestPostgres;
  let bouncer: TestPgBouncer;
  let swift: SwiftServer;
  before(async () => {
    swift = await startSwift();
    postgres = await startPostgres();
    bouncer = await startPgBouncer(postgres.port);
  });
  after(async () => {
    await swift.remove();
    await bouncer.stop();
    await postgres.stop();
  });

  /** Creates an empty database. @returns its URL, which does not use PgBouncer */
  async function createDatabase(t: TestContext, name: string) {
    const database = connect({ dataDir: '', databaseUrl: postgres.url });
    await sql.raw(`create database ${name}`).execute(database);
    t.after(() => database.destroy());
    return postgres.url.replace('/postgres', `/${name}`);
  }

  it('let four instances start concurrently on an empty database', async (t) => {
    const url = await createDatabase(t, 'four');
    const start = async () => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-migrate-'));
      t.after(() => rm(dataDir, { recursive: true, force: true }));
      const server = await startServerProcess(dataDir, {
        DATABASE_URL: bouncer.urlOf(url),
        ...s3Environment(swift),
      });
      t.after(() => server.kill());
      return server;
    };
    const servers = await Promise.all([start(), start(), start(), start()]);
    for (const server of servers)
      assert.equal((await fetch(`${server.url}/readyz`)).status, 200, server.log());
    const links = new Set(servers.map((server) => server.firstAdminPath()));
    assert.match([...links].join(), /^\/primeiro-acesso#[\w-]{43}$/);
    await assertMigratedOnce(t, url);
    const makers = servers.filter((server) => server.log().includes('Banco de dados criado'));
    assert.equal(makers.length, 1);
  });

  it('leave no lock, and run again after one failed half-way', async (t) => {
    const url = await createDatabase(t, 'half');
    const database = connect({ dataDir: '', databaseUrl: bouncer.urlOf(url) });
    t.after(() => database.destroy());
    // Makes a later migration fail, because that migration creates this table.
    await sql`create table "favourites" (id int)`.execute(database);
    await assert.rejects(migrate(database), /already exists/);
    await sql`drop table "favourites"`.execute(database);
    assert.deepEqual(await migrate(database), names);
    assert.deepEqual(await migrate(database), []);
    await assertMigratedOnce(t, url);
  });

  async function assertMigratedOnce(t: TestContext, url: string) {
    const database = connect({ dataDir: '', databaseUrl: url });
    t.after(() => database.destroy());
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      database,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      names,
    );
    const locks = await sql`select 1 from pg_locks where locktype = 'advisory'`.execute(database);
    assert.deepEqual(locks.rows, []);
  }
});
