import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { paths } from '#contract/paths.ts';
import { recordWrites, signUpAdmins } from '../testing/recorded-writes.ts';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';

const rounds = 20;
const clients = 8;

it(`the server keeps every acknowledged write when it is killed ${rounds} times under ${clients} writing clients`, async (t) => {
  const dataDir = await temporaryFolder(t);
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port } = server;
  const writers = await signUpAdmins(server.url, server.firstAdminPath(), clients);
  const [reader] = writers;
  const writes = recordWrites();

  for (let round = 0; round < rounds; round += 1) {
    const goal = writes.count + 10 + 3 * round;
    const enough = Promise.withResolvers<void>();
    const writing = writers.map((writer) =>
      writes.write(writer, ['client/offline'], () => {
        if (writes.count >= goal) enough.resolve();
      }),
    );
    await enough.promise;
    await server.kill();
    await Promise.all(writing);

    server = await startServerProcess(dataDir, { PORT: port });
    assert.ok(reader);
    await writes.assertKept(reader);
  }
  await server.stop();
  const database = new DatabaseSync(path.join(dataDir, 'acolhe.sqlite'));
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), []);
  database.close();
});

it('finishes active requests at shutdown, and accepts no new ones', async (t) => {
  const server = await startServerProcess(await temporaryFolder(t));
  t.after(() => server.kill());
  const account = { email: 'ana@exemplo.com.br', password: 'senha12345' };
  await visitorAt(server.url, server.url).client.auth.signUp({ displayName: 'Ana', ...account });

  const signIn = request(server.url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, expect: '100-continue' },
  });
  const responded = once(signIn, 'response') as Promise<[IncomingMessage]>;
  signIn.flushHeaders();
  await once(signIn, 'continue');
  const stopped = server.stop();
  // Once connections are refused, the shutdown has begun.
  await refusesConnections(server.url);
  signIn.end(JSON.stringify(account));
  const [{ statusCode }] = await responded;
  assert.equal(statusCode, 200);
  await stopped;
});

async function refusesConnections(url: string): Promise<void> {
  while (
    await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
  );
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-durability-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
