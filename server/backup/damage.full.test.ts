import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  type BackupPlace,
  backUpServer,
  createBackupPlace,
  createTarget,
  restoreInto,
} from '#server/testing/backups/backups.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { startTestServer } from '#server/testing/server.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { connect, type DatabaseKind } from '../database/connect.ts';
import type { Environment } from '../environment.ts';
import { createKeyPair } from './place/encryption.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import { listSnapshots } from './snapshot/manifests.ts';
import { manifestObject, snapshotObject } from './snapshot/snapshot-format.ts';
import { verifySnapshot } from './verify.ts';

for (const kind of allDatabaseKinds) {
  describe(`a damaged backup on ${kind}`, { concurrency: true }, () => {
    it('is found by verify: a flipped bit in any file', async (t) => {
      const { place, files } = await backedUp(t, kind);
      assert.ok(files.length >= 4);
      for (const file of files) {
        await changing(path.join(place.folder, file), flipBit, async () => {
          assert.equal(await findsDamage(place), true, file);
        });
      }
      assert.equal(await findsDamage(place), false);
    });

    it('is found by verify: a file that is shorter or missing', async (t) => {
      const { place, files } = await backedUp(t, kind);
      for (const file of files) {
        const shorter = (content: Buffer) => content.subarray(0, -1);
        await changing(path.join(place.folder, file), shorter, async () => {
          assert.equal(await findsDamage(place), true, file);
        });
      }
      const { snapshot } = await newest(place);
      await place.store.remove([snapshotObject(snapshot)]);
      assert.deepEqual((await verifySnapshot(place.store, snapshot)).damaged, [snapshotObject(snapshot)]);
    });

    it('is refused by restore when any part is altered, cut off or extended, and nothing is restored', async (t) => {
      const { place, files } = await backedUp(t, kind);
      const { snapshot } = await newest(place);
      const target = await createTarget(t, kind);
      for (const file of files.filter((name) => name !== manifestObject(snapshot))) {
        for (const change of [
          flipBit,
          cutOff,
          (content: Buffer) => Buffer.concat([content, Buffer.from('x')]),
        ]) {
          await changing(path.join(place.folder, file), change, () =>
            assert.rejects(restoreInto(target, place), DamagedBackup, `${file} ${change.name}`),
          );
          assert.equal(await hasUsers(target), false, file);
        }
      }
      await restoreInto(target, place);
      assert.equal(await hasUsers(target), true);
    });

    it('is repaired: after verify, the next backup stores a damaged content again', async (t) => {
      const { server, place, files } = await backedUp(t, kind);
      const damaged = files.filter((name) => name.startsWith('contents/'));
      assert.equal(damaged.length, 1);
      const [name = ''] = damaged;
      const content = await readFile(path.join(place.folder, name));
      await writeFile(path.join(place.folder, name), flipBit(content));
      const { snapshot: first } = await newest(place);
      const found = await verifySnapshot(place.store, first);
      assert.deepEqual([found.damaged, found.isMarked], [damaged, true]);

      const second = await backUpServer(server, place);
      assert.ok(second && second.storedBytes > 200_000);
      assert.deepEqual((await verifySnapshot(place.store, second.snapshot)).damaged, []);
      await restoreInto(await createTarget(t, kind), place);
      // The backup has not replaced the damaged object, because it may become readable again. Here it does.
      await writeFile(path.join(place.folder, name), content);
      assert.deepEqual((await verifySnapshot(place.store, first)).damaged, []);
      const third = await backUpServer(server, place);
      assert.ok(third && third.storedBytes < 100_000);

      // The damaged object and its mark are removed once no backup needs the object.
      for (const days of [40, 41])
        await backUpServer(server, place, { now: () => Date.now() + days * 24 * 60 * 60_000 });
      assert.deepEqual([...(await place.store.list('damaged/')).keys()], []);
      assert.equal(await findsDamage(place), false);
    });
  });
}

describe('a damaged backup', () => {
  it('does not prevent a new backup, which does not need it', async (t) => {
    const { server, place } = await backedUp(t);
    const { snapshot } = await newest(place);
    await truncate(path.join(place.folder, manifestObject(snapshot)), 100);
    const made = await backUpServer(server, place);
    assert.deepEqual(made?.problems.damaged, [snapshot]);
    await restoreInto(await createTarget(t, 'sqlite'), place);
  });

  it('is found even where nothing can be written', async (t) => {
    const { place, files } = await backedUp(t);
    const damaged = files.filter((name) => name.startsWith('contents/'));
    await place.store.remove(damaged);
    await writeFile(path.join(place.folder, 'damaged'), 'not a folder');
    const { snapshot } = await newest(place);
    const found = await verifySnapshot(place.store, snapshot);
    assert.deepEqual([found.damaged, found.isMarked], [damaged, false]);
  });

  it('is found and repaired even when its disk cannot read a part', async (t) => {
    const { server, place, files } = await backedUp(t);
    const { snapshot } = await newest(place);
    for (const name of files) {
      const file = path.join(place.folder, name);
      await rename(file, `${file}.good`);
      // On Linux, a read of this file fails with EIO.
      await symlink('/proc/self/mem', file);
      assert.equal(await findsDamage(place), true, name);
      const target = await createTarget(t, 'sqlite');
      if (name !== manifestObject(snapshot))
        await assert.rejects(restoreInto(target, place, { snapshot }), DamagedBackup, name);
      if (!name.startsWith('contents/')) await rename(`${file}.good`, file);
    }
    await backUpServer(server, place);
    assert.equal(await findsDamage(place), false);
    await restoreInto(await createTarget(t, 'sqlite'), place);
  });

  it('is distinguished from one that the key does not open', async (t) => {
    const { place } = await backedUp(t);
    const { identity } = await createKeyPair();
    await assert.rejects(restoreInto(await createTarget(t, 'sqlite'), { ...place, identity }), {
      name: 'StartError',
      message: /não abre este backup/,
    });
  });
});

const flipBit = (content: Buffer) => {
  const changed = Buffer.from(content);
  const middle = Math.floor(changed.length / 2);
  changed.writeUInt8(changed.readUInt8(middle) ^ 4, middle);
  return changed;
};
const cutOff = (content: Buffer) => content.subarray(0, Math.floor(content.length / 2));

/** Starts a server with one file, makes a backup, and lists the files of this backup. */
async function backedUp(t: TestContext, kind: DatabaseKind = 'sqlite') {
  const server = await startTestServer(t, kind);
  const admin = await server.join('admin');
  const storage = storageOf(admin);
  assert.equal((await storage.upload('postAudios/mind/ouvir', mp3(200_000))).status, 204);
  const audio = await storage.url('postAudios/mind/ouvir');
  await admin.client.documents.createActivity(sampleActivity({ audio }));
  const place = await createBackupPlace(t);
  await backUpServer(server, place);
  const entries = await readdir(place.folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !['installation', 'place-id'].includes(entry.name))
    .map((entry) => path.relative(place.folder, path.join(entry.parentPath, entry.name)));
  return { server, place, files };
}

async function newest({ store }: BackupPlace) {
  return { snapshot: (await listSnapshots(store)).at(-1) ?? '' };
}

async function hasUsers(target: Environment): Promise<boolean> {
  if (target.databaseUrl === undefined && !existsSync(path.join(target.dataDir, 'acolhe.sqlite')))
    return false;
  const database = connect(target);
  const users = await database.selectFrom('users').select('id').execute();
  await database.destroy();
  return users.length > 0;
}

async function findsDamage(place: BackupPlace): Promise<boolean> {
  const { snapshot } = await newest(place);
  try {
    return (await verifySnapshot(place.store, snapshot)).damaged.length > 0;
  } catch (error) {
    assert.ok(error instanceof DamagedBackup);
    return true;
  }
}

/** Changes a file while `work` runs, and then restores it. */
async function changing(file: string, change: (content: Buffer) => Buffer, work: () => Promise<void>) {
  const content = await readFile(file);
  await writeFile(file, change(content));
  await work();
  await writeFile(file, content);
}
