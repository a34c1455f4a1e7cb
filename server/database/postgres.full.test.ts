import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { startBreakingNetwork } from '../testing/peers/breaking-network.ts';
import { startPgBouncer, type TestPgBouncer } from '../testing/peers/pgbouncer.ts';
import { startPostgres, type TestPostgres } from '../testing/peers/postgres.ts';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { isDatabaseAway, whenDatabaseResponds } from './away.ts';
import { connect, migrate } from './connect.ts';

describe('a connection to PostgreSQL', () => {
  let postgres: TestPostgres;
  let bouncer: TestPgBouncer;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-connection-'));
    postgres = await startPostgres();
    bouncer = await startPgBouncer(postgres.port);
    await migrate(connectTo(postgres.url));
  });
  after(async () => {
    await bouncer.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  });

  const connected: ReturnType<typeof connect>[] = [];
  function connectTo(databaseUrl: string) {
    const database = connect({ dataDir: '', databaseUrl });
    connected.push(database);
    return database;
  }

  const limits = sql<{ statement: string; lock: string; idle: string }>`select
    current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`;

  it('has time-outs for statements and for idle transactions', async () => {
    const database = connectTo(postgres.url);
    assert.deepEqual((await limits.execute(database)).rows, [{ statement: '12s', lock: '6s', idle: '5s' }]);
  });

  it('through PgBouncer has these time-outs in transactions, and leaves none to other clients', async () => {
    const database = connectTo(bouncer.urlOf(postgres.url));
    const inside = await database.transaction().execute((transaction) => limits.execute(transaction));
    assert.deepEqual(inside.rows, [{ statement: '12s', lock: '6s', idle: '5s' }]);
    const isolated = await database
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((transaction) => limits.execute(transaction));
    assert.deepEqual(isolated.rows, inside.rows);
    assert.deepEqual((await limits.execute(database)).rows, [{ statement: '0', lock: '0', idle: '0' }]);
  });

  it('reads at once while many writes wait for a locked table, which are then refused', async () => {
    const [owner, database] = [connectTo(postgres.url), connectTo(postgres.url)];
    const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = owner.transaction().execute(async (transaction) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      await sql`lock table "activityLists" in exclusive mode`.execute(transaction);
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    const writes = Array.from({ length: 20 }, () =>
      database.updateTable('activityLists').set({ version: 7 }).execute(),
    );
    const refused = Promise.allSettled(writes);
    // The first writes have taken all connections that they may take.
    await writes[0]?.catch(() => {});
    const begun = performance.now();
    await database.selectFrom('siteState').select('version').execute();
    assert.ok(performance.now() - begun < 1_000);
    const reasons = (await refused).map((one) => one.status === 'rejected' && isDatabaseAway(one.reason));
    assert.ok(reasons.filter(Boolean).length >= 8);
    assert.ok((await refused).every(({ status }) => status === 'rejected'));
    assert.ok(performance.now() - begun < 10_000);
    done.resolve();
    await locking;
    await database.updateTable('activityLists').set({ version: 8 }).execute();
  });

  it('does not keep a list locked when its instance ends within a transaction', async () => {
    const other = connectTo(postgres.url);
    const lists = { mindActsList: postgres.url, moveActsList: bouncer.urlOf(postgres.url) } as const;
    const touch = (database: ReturnType<typeof connect>, name: keyof typeof lists) =>
      database.updateTable('activityLists').set({ version: 7 }).where('name', '=', name).execute();
    await Promise.all(
      Object.entries(lists).map(async ([list, url]) => {
        const name = list as keyof typeof lists;
        const locked = Promise.withResolvers<void>();
        const gone = new Promise<never>(() => {});
        void connectTo(url)
          .transaction()
          .execute(async (transaction) => {
            await touch(transaction, name);
            locked.resolve();
            await gone;
          });
        await locked.promise;
        const begun = performance.now();
        await touch(other, name);
        assert.ok(performance.now() - begun < 8_000);
      }),
    );
  });

  it('does not delay the end of the process when PostgreSQL is frozen', async (t) => {
    const server = await start(t, { DATABASE_URL: postgres.url });
    const frozen = visitorAt(server.url, server.url).fetch('/readyz');
    postgres.freeze();
    t.after(() => postgres.thaw());
    await frozen;
    await server.stop();
  });

  it('can be opened after the start of the process', async (t) => {
    await postgres.end('SIGINT');
    const starting = start(t, { DATABASE_URL: postgres.url });
    await Promise.race([starting, new Promise((resolve) => setImmediate(resolve))]);
    await postgres.start();
    assert.equal((await fetch(`${(await starting).url}/readyz`)).status, 200);
  });

  for (const table of ['kysely_migration', 'installation', 'releases', 'firstAdminLinks', 'instances'])
    it(`can break when the start first asks for ${table}`, async (t) => {
      const network = await startBreakingNetwork(t, postgres.port, 'before', `"${table}"`);
      const through = postgres.url.replace(`:${postgres.port}/`, `:${network.port}/`);
      const server = await start(t, { DATABASE_URL: through });
      assert.ok(network.hasBroken());
      assert.equal((await fetch(`${server.url}/readyz`)).status, 200, server.log());
      assert.doesNotMatch(server.log(), / {4}at /);
    });

  it('stops the start with one sentence, without a stack trace, if it fails', async (t) => {
    const wrong = start(t, { DATABASE_URL: postgres.url.replace(/postgres$/, 'nenhum') });
    await assert.rejects(wrong, ({ message }: Error) => {
      assert.match(message, /O PostgreSQL recusou a conexão .*: confira DATABASE_URL\.\n$/);
      assert.doesNotMatch(message.replace(/^.*\n/, ''), / {4}at /);
      return true;
    });
    const unreachable = connectTo('postgres://acolhe@127.0.0.1:1/postgres');
    await assert.rejects(
      whenDatabaseResponds(() => migrate(unreachable), 1_000),
      { name: 'StartError', message: /^O PostgreSQL não respondeu em 1 segundos \(.*\): veja se/ },
    );
  });

  async function start(t: TestContext, environment: Record<string, string>) {
    const server = await startServerProcess(dataDir, environment);
    t.after(() => server.kill());
    return server;
  }
});

it('recognizes the errors of an unreachable database', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    '25006',
    '57014',
    '57P01',
    '08006',
  ])
    assert.ok(isDatabaseAway(withCode(code)), code);
  for (const message of [
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])
    assert.ok(isDatabaseAway(new Error('failed', { cause: new Error(message) })), message);
  for (const other of [
    withCode('23505'),
    withCode('42601'),
    new Error('x'),
    undefined,
    'Connection terminated',
  ])
    assert.ok(!isDatabaseAway(other), String(other));
});
