import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startPostgres } from './testing/postgres.ts';
import { personAt, startTestServer } from './testing/server.ts';
import { startServerProcess } from './testing/server-process.ts';
import { s3Environment } from './testing/swift.ts';

describe('readiness', () => {
  it('says no while the data folder is away, and yes when it is back; the process is well all the time', async (t) => {
    const { visitor, dataDir } = await startTestServer(t, 'sqlite');
    assert.equal((await visitor.fetch('/readyz')).status, 200);
    await rename(dataDir, `${dataDir}-away`);
    try {
      const answer = await visitor.fetch('/readyz');
      assert.equal(answer.status, 503);
      assert.ok(answer.headers.has('retry-after'));
      const body = (await answer.json()) as { code: string; message: string };
      assert.equal(body.code, 'server/unavailable');
      assert.ok(!JSON.stringify(body).includes(dataDir), 'a stranger learns where the data is');
      assert.equal((await visitor.fetch('/healthz')).status, 200);
    } finally {
      await rename(`${dataDir}-away`, dataDir);
    }
    assert.equal((await visitor.fetch('/readyz')).status, 200);
  });

  it('says no once PostgreSQL is away', async (t) => {
    const postgres = await startPostgres();
    t.after(() => postgres.stop());
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-readiness-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServerProcess(dataDir, { DATABASE_URL: postgres.url });
    t.after(() => server.kill());
    const visitor = personAt(server.url, server.url);
    assert.equal((await visitor.fetch('/readyz')).status, 200);
    await postgres.stop();
    assert.equal((await visitor.fetch('/readyz')).status, 503);
    assert.equal((await visitor.fetch('/healthz')).status, 200);
  });

  it('does not wait for a store that never answers, and asks it once for all who ask meanwhile', async (t) => {
    const { endpoint, count } = await startSilence(t);
    const s3 = { endpoint, bucket: 'arquivos', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' };
    const { visitor } = await startTestServer(t, 'sqlite', { environment: s3Environment(s3) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.fetch('/readyz')));
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 503),
    );
    assert.equal(count(), 1);
  });
});

/** Somebody who takes connections and never says a word. */
async function startSilence(t: TestContext) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, count: () => sockets.length };
}
