import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  backUpServer,
  createBackupPlace,
  createTarget,
  restoreInto,
} from '#server/testing/backups/backups.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { until } from '#server/testing/until.ts';
import { connect } from '../database/connect.ts';
import { contentsOf } from '../storage/files/files.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';

const writers = 8;
const backups = 1;

for (const kind of allDatabaseKinds) {
  describe(`a backup while ${writers} clients write and delete, on ${kind}`, () => {
    it('contains every write that was acknowledged before it began, and every file that a row names', async (t) => {
      const server = await startTestServer(t, kind);
      const place = await createBackupPlace(t);
      const stopped = new AbortController();
      const acknowledged: string[] = [];
      const clients = Array.from({ length: writers }, () => server.join('admin'));
      const work = Promise.all(
        (await Promise.all(clients)).map((admin, index) =>
          writeAndDelete(admin, index, { signal: stopped.signal, acknowledged }),
        ),
      );
      try {
        for (let count = 1; count <= backups; count += 1) {
          await until(async () => acknowledged.length >= count * writers);
          const before = [...acknowledged];
          await backUpServer(server, place);
          const target = await createTarget(t, kind);
          const { dangling } = await restoreInto(target, place);
          assert.deepEqual(dangling, []);
          const database = connect(target);
          try {
            const titles = (await database.selectFrom('activities').select('title').execute()).map(
              (row) => row.title,
            );
            assert.deepEqual(
              before.filter((title) => !titles.includes(title)),
              [],
            );
            const files = await database.selectFrom('files').selectAll().execute();
            assert.ok(files.length > 0);
            const store = await openFileStore(target);
            for (const file of files)
              for (const { key, bytes } of contentsOf(file)) {
                let read = 0;
                for await (const chunk of await store.read(key)) read += (chunk as Buffer).length;
                assert.equal(read, bytes);
              }
          } finally {
            await database.destroy();
          }
        }
      } finally {
        stopped.abort();
        await work;
      }
      assert.ok(acknowledged.length > writers);
    });
  });
}

/** Creates practices until `signal` aborts, and replaces and deletes the first audio of each. */
async function writeAndDelete(
  admin: Awaited<ReturnType<TestServer['join']>>,
  index: number,
  { signal, acknowledged }: { signal: AbortSignal; acknowledged: string[] },
): Promise<void> {
  const storage = storageOf(admin);
  const files = await admin.client.storage();
  for (let count = 0; !signal.aborted; count += 1) {
    const name = `postAudios/mind/${index}-${count}`;
    assert.equal((await storage.upload(name, mp3(30_000, index * 1_000 + count))).status, 204);
    const title = `Prática ${index}-${count}`;
    const audio = await storage.url(name);
    const activity = await admin.client.documents.createActivity(sampleActivity({ title, audio }));
    acknowledged.push(title);
    // The practice stays, with another audio.
    const next = `postAudios/mind/${index}-${count}-outro`;
    assert.equal((await storage.upload(next, mp3(20_000, index * 1_000 + count + 500))).status, 204);
    const saved = await admin.client.documents.updateActivity(activity, {
      ...sampleActivity({ title, audio: await storage.url(next) }),
    });
    await files.delete(name);
    assert.equal(saved.title, title);
  }
}
