import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { temporaryFolder } from '#server/testing/moves.ts';
import { startNetwork } from '../testing/peers/network.ts';
import { startPostgres } from '../testing/peers/postgres.ts';
import { s3Environment } from '../testing/peers/swift.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestUser, visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';

describe('readiness', () => {
  it('fails while the data folder is missing, and recovers; the process stays healthy', async (t) => {
    const { visitor, dataDir } = await startTestServer(t, 'sqlite');
    assert.equal((await visitor.fetch('/readyz')).status, 200);
    await rename(dataDir, `${dataDir}-away`);
    try {
      const response = await visitor.fetch('/readyz');
      assert.equal(response.status, 503);
      assert.ok(response.headers.has('retry-after'));
      const body = (await response.json()) as { code: string; message: string };
      assert.equal(body.code, 'server/unavailable');
      assert.ok(!JSON.stringify(body).includes(dataDir), 'the response reveals the path of the data');
      assert.equal((await visitor.fetch('/healthz')).status, 200);
    } finally {
      await rename(`${dataDir}-away`, dataDir);
    }
    assert.equal((await visitor.fetch('/readyz')).status, 200);
  });

  it('fails once PostgreSQL is unreachable', async (t) => {
    const postgres = await startPostgres();
    t.after(() => postgres.stop());
    const dataDir = await temporaryFolder(t);
    const server = await startServerProcess(dataDir, { DATABASE_URL: postgres.url });
    t.after(() => server.kill());
    const visitor = visitorAt(server.url, server.url);
    assert.equal((await visitor.fetch('/readyz')).status, 200);
    await postgres.stop();
    assert.equal((await visitor.fetch('/readyz')).status, 503);
    assert.equal((await visitor.fetch('/healthz')).status, 200);
  });

  it('fails on a standby, which refuses writes with 503, and recovers with a primary', async (t) => {
    const { visitor, database, join } = await startTestServer(t, 'postgres');
    const admin = await join('admin');
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database);
    // `default_transaction_read_only` applies only to new connections. So old connections keep their mode, as
    // after a fail-over behind one host name.
    const alter = (value: 'on' | 'off') =>
      sql.raw(
        `begin read write; alter database ${rows[0]?.name} set default_transaction_read_only = ${value}; commit`,
      );
    // The connection of this query ends last: after its end, no other would be ended.
    const endAll = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() order by pid = pg_backend_pid()`;
    const write = () => statusOfWrite(admin);
    const ready = async () => (await visitor.fetch('/readyz')).status;

    assert.deepEqual([await ready(), await write()], [200, 201]);
    await alter('on').execute(database);
    await assert.rejects(endAll.execute(database));
    while ((await ready()) !== 503 || (await write()) !== 503);
    const list = await visitor.fetch(paths.documents.activities('mindActsList'));
    assert.equal(list.status, 200);
    await alter('off').execute(database);
    // The test requests only readiness here, because a load balancer sends no other requests to an instance
    // that is not ready.
    assert.equal(await ready(), 503);
    assert.equal(await ready(), 200);
    assert.equal(await write(), 201);
  });

  it('sends one database query for all concurrent requests', async (t) => {
    const { visitor, database } = await startTestServer(t, 'postgres');
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
      return rows[0]?.count;
    };
    const responses = await database.transaction().execute(async (transaction) => {
      await sql`lock table ${sql.table('activityLists')}`.execute(transaction);
      const asked = Array.from({ length: 20 }, () => visitor.fetch('/readyz'));
      while ((await waiting()) === 0);
      assert.equal((await visitor.fetch('/healthz')).status, 200);
      assert.equal(await waiting(), 1);
      return asked;
    });
    for (const { status } of await Promise.all(responses)) assert.equal(status, 200);
  });

  it('does not check the file store, which all instances share', async (t) => {
    const network = await startNetwork(t, 1);
    network.set('swallow');
    const s3 = { bucket: 'arquivos', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' };
    const environment = s3Environment({ ...s3, endpoint: `http://127.0.0.1:${network.port}` });
    const { visitor } = await startTestServer(t, 'sqlite', { environment });
    assert.equal((await visitor.fetch('/readyz')).status, 200);
    assert.equal(network.taken(), 0);
  });
});

async function statusOfWrite(admin: TestUser): Promise<number> {
  const response = await admin.fetch(paths.documents.activityItems('mindActsList'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sampleActivity()),
  });
  return response.status;
}
