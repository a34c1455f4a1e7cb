import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type BackupPlace,
  backUpServer,
  createBackupPlace,
  createTarget,
  restoreInto,
} from '#server/testing/backups.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { connect, type DatabaseKind, listMigrations } from '../database/connect.ts';
import type { Environment } from '../environment.ts';
import { listSnapshots } from './snapshot/manifests.ts';
import { verifySnapshot } from './verify.ts';

const root = path.join(import.meta.dirname, '../..');
const kills = 4;
const files = 6;

for (const kind of databaseKinds) {
  describe(`kill -9 on ${kind}`, { concurrency: true }, () => {
    it('at any moment of a backup leaves no half snapshot, and the next backup is complete', async (t) => {
      const { server, place } = await startWithFiles(t, kind);
      const run = () => startCommand(server, place, 'backup', []);
      const whole = await timeOf(run());
      for (let count = 0; count < kills; count += 1) {
        // An earlier one has stored the files.
        if (count % 3 === 0) await removeAll(place);
        const child = run();
        await wait((whole * (count + 1)) / kills);
        await kill(child);
        for (const snapshot of await listSnapshots(place.store))
          assert.deepEqual((await verifySnapshot(place.store, snapshot)).damaged, []);
        await endLeases(server);
      }
      await backUpServer(server, place);
      const { contents } = await restoreInto(await createTarget(t, kind), place);
      assert.equal(contents, files);
      const left = [...(await place.store.list('')).keys()].filter((name) => name.includes('unfinished'));
      assert.deepEqual(left, []);
    });

    it('at any moment of a restore leaves an empty installation, into which it can be repeated', async (t) => {
      const { server, place } = await startWithFiles(t, kind);
      await backUpServer(server, place);
      const key = path.join(server.dataDir, 'key.txt');
      await writeFile(key, place.identity);
      const run = (target: Environment) =>
        startCommand(target, place, 'restore', [place.folder, '--key', key]);
      const whole = await timeOf(run(await createTarget(t, kind)));
      const target = await createTarget(t, kind);
      let interrupted = 0;
      for (let count = 0; count < kills; count += 1) {
        const child = run(target);
        await wait((whole * count) / kills);
        await kill(child);
        if (await hasUsers(target)) break;
        interrupted += 1;
      }
      assert.ok(interrupted > 0);
      if (!(await hasUsers(target))) assert.equal((await restoreInto(target, place)).contents, files);
    });
  });
}

describe('Ctrl+C', () => {
  it('ends a backup without harm, with a sentence and the exit code 130', async (t) => {
    const { server, place } = await startWithFiles(t, 'sqlite', 8_000_000);
    const child = startCommand(server, place, 'backup', []);
    const { said } = outputOf(child);
    while ((await place.store.list('contents/')).size === 0) await wait(5);
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 130);
    assert.match(said(), /Parado\. O backup não foi feito/);
    assert.deepEqual(await listSnapshots(place.store), []);
    // It has given its lease back.
    await backUpServer(server, place);
  });
});

async function startWithFiles(t: TestContext, kind: DatabaseKind, bytes = 300_000) {
  const server = await startTestServer(t, kind);
  const admin = await server.join('admin');
  for (let count = 0; count < files; count += 1)
    assert.equal((await storageOf(admin).upload(`postAudios/mind/${count}`, mp3(bytes, count))).status, 204);
  return { server, place: await createBackupPlace(t) };
}

const authSecret = 'one secret for all commands of this test';

/** Starts `npm run backup` or `restore`, without npm. */
function startCommand(
  { dataDir, databaseUrl }: Pick<Environment, 'dataDir' | 'databaseUrl'>,
  place: BackupPlace,
  command: 'backup' | 'restore',
  args: string[],
): ChildProcess {
  return spawn(process.execPath, [path.join(root, 'commands', `${command}.ts`), ...args], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...(databaseUrl !== undefined && command === 'backup' && { AUTH_SECRET: authSecret }),
      ...place.variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function outputOf(child: ChildProcess) {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return { said: () => text };
}

/** Waits for the end of a command. @returns how long it took in milliseconds */
async function timeOf(child: ChildProcess): Promise<number> {
  const { said } = outputOf(child);
  const begun = performance.now();
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 0, said());
  return performance.now() - begun;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function removeAll({ store }: BackupPlace) {
  for (const folder of ['snapshots/', 'contents/']) await store.remove((await store.list(folder)).keys());
}

/** A killed process keeps its lease for a minute. */
const endLeases = ({ database }: TestServer) => database.deleteFrom('leases').execute();

async function hasUsers(target: Environment): Promise<boolean> {
  if (target.databaseUrl === undefined && !existsSync(path.join(target.dataDir, 'acolhe.sqlite')))
    return false;
  const database = connect(target);
  try {
    if ((await listMigrations(database)).length === 0) return false;
    return (await database.selectFrom('users').select('id').limit(1).execute()).length > 0;
  } finally {
    await database.destroy();
  }
}
