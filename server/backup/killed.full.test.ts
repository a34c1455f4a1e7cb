import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type BackupPlace,
  backUpServer,
  createTarget,
  files,
  hasUsers,
  restoreInto,
  startWithFiles,
} from '#server/testing/backups/backups.ts';
import { outputOf, startCommand } from '#server/testing/backups/commands.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import type { TestServer } from '#server/testing/server.ts';
import type { Environment } from '../environment.ts';
import { listSnapshots } from './snapshot/manifests.ts';
import { verifySnapshot } from './verify.ts';

const kills = 4;

for (const kind of allDatabaseKinds) {
  describe(`kill -9 on ${kind}`, { concurrency: true }, () => {
    it('at several moments of a backup leaves no incomplete snapshot, and the next backup is complete', async (t) => {
      const { server, place } = await startWithFiles(t, kind);
      const run = () => startCommand(server, place, 'backup', []);
      const whole = await timeOf(run());
      for (let count = 0; count < kills; count += 1) {
        // Before every third round, all backups are removed. In the other rounds, an earlier backup has
        // stored the files.
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

    it('during a restore leaves the installation empty, so that the restore can be repeated', async (t) => {
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

/** Waits until a command exits. @returns how long it took, in milliseconds */
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

/** Deletes all leases, because a killed process would keep its lease for a minute. */
const endLeases = ({ database }: TestServer) => database.deleteFrom('leases').execute();
