import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import { formAxes, listNames, listOf } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { sampleActivity, type TestUser, visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';

const rounds = 20;
const clients = 8;

/** The newest acknowledged activity for each id; `undefined` once deleted. */
type Acknowledged = Map<string, Activity | undefined>;
/** The requests without a response when the server was killed. */
type UnderWay = Map<string, 'edit' | 'delete'>;

it(`keeps every acknowledged write when it is killed ${rounds} times under ${clients} writing clients`, async (t) => {
  const dataDir = await temporaryFolder(t);
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port } = server;
  const writers = await signUpAdmins(server.url, server.firstAdminPath());
  const [reader] = writers;
  const acknowledged: Acknowledged = new Map();
  const underWay: UnderWay = new Map();

  for (let round = 0; round < rounds; round += 1) {
    const goal = acknowledged.size + 10 + 3 * round;
    const enough = Promise.withResolvers<void>();
    const writing = writers.map((writer) =>
      write(writer, acknowledged, underWay, () => acknowledged.size >= goal && enough.resolve()),
    );
    await enough.promise;
    await server.kill();
    await Promise.all(writing);

    server = await startServerProcess(dataDir, { PORT: port });
    await assertNothingLost(reader, acknowledged, underWay);
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

/** Creates, edits and deletes until the server ends, and records what was acknowledged. */
async function write(
  { client }: TestUser,
  acknowledged: Acknowledged,
  underWay: UnderWay,
  progress: () => void,
) {
  try {
    for (let step = 0; ; step += 1) {
      const axis = formAxes[step % formAxes.length] ?? 'mind';
      let newest = await client.documents.createActivity(sampleActivity({ axis, title: `Passo ${step}` }));
      const { id } = newest;
      acknowledged.set(id, newest);
      if (step % 3 === 1) {
        underWay.set(id, 'edit');
        newest = await client.documents.updateActivity(
          newest,
          sampleActivity({ axis: 'move', title: 'Editado' }),
        );
        acknowledged.set(id, newest);
        underWay.delete(id);
      }
      if (step % 5 === 4) {
        underWay.set(id, 'delete');
        await client.documents.deleteActivity(newest);
        acknowledged.set(id, undefined);
        underWay.delete(id);
      }
      progress();
    }
  } catch (error) {
    // The client is offline because the server was killed. Any other error is a failure of the test.
    if (!(error instanceof ClientError && error.code === 'client/offline')) throw error;
  }
}

async function assertNothingLost(
  reader: TestUser | undefined,
  acknowledged: Acknowledged,
  underWay: UnderWay,
) {
  const stored = new Map<string, Activity>();
  for (const list of listNames) {
    const { activities } = (await reader?.client.documents.getActivities(list)) ?? { activities: [] };
    for (const activity of activities) {
      assert.equal(listOf(activity.axis), list);
      assert.ok(!stored.has(activity.id), 'an activity is in one list, once');
      stored.set(activity.id, activity);
    }
  }
  for (const [id, expected] of acknowledged) {
    const found = stored.get(id);
    // An unacknowledged edit or deletion was applied completely or not at all.
    if (underWay.get(id) === 'edit' && found?.title === 'Editado') acknowledged.set(id, found);
    else if (underWay.get(id) === 'delete' && !found) acknowledged.set(id, undefined);
    else assert.deepEqual(found, expected);
    underWay.delete(id);
  }
}

/** The first user takes the one-time link and makes admins of the others. */
async function signUpAdmins(url: string, firstAdminPath: string): Promise<TestUser[]> {
  const admins: TestUser[] = [];
  for (let index = 0; index < clients; index += 1) {
    const account = {
      displayName: `Admin ${index}`,
      email: `admin${index}@exemplo.com.br`,
      password: 'senha12345',
    };
    const admin = visitorAt(url, url);
    const { user } = await admin.client.auth.signUp(account);
    if (index === 0) await admin.client.auth.becomeFirstAdmin(firstAdminPath.split('#')[1] ?? '');
    else await admins[0]?.client.documents.updateUser(user.uid, { member: 'admin' });
    admins.push(admin);
  }
  return admins;
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-durability-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
