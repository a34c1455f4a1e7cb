import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StorageError } from '#client/storage/storage-error.ts';
import { databaseKinds } from '../testing/databases.ts';
import { startTestServer, type TestServer, type TestUser } from '../testing/server.ts';
import { mp3, sha256Of } from '../testing/storage.ts';

const path = 'postAudios/mind/respirar';

/** Tests the client library with the real file service. */
for (const kind of databaseKinds)
  describe(`the client library at the file service, on ${kind}`, { concurrency: 2 }, () => {
    for (const [what, bytes] of [
      ['a small file', 262_144],
      ['a large file', 3_000_001],
    ] as const)
      it(`stores ${what}, reads its metadata, and deletes it`, async (t) => {
        const server = await startTestServer(t, kind);
        const storage = await storageOf(await server.join('admin'));
        const content = mp3(bytes);
        const file = new Blob([content], { type: 'audio/mpeg' });
        const stored = await storage.upload(path, file);
        assert.equal(stored.sha256, sha256Of(content));
        assert.deepEqual(await storage.getMetadata(path), stored);
        assert.deepEqual(await read(server, await storage.getDownloadUrl(path)), content);
        await storage.delete(path);
        await assert.rejects(storage.getMetadata(path), { code: 'object-not-found', status: 404 });
      });

    it("resumes after a pause at the server's offset, with the bytes in order", async (t) => {
      const server = await startTestServer(t, kind);
      const storage = await storageOf(await server.join('admin'));
      const content = mp3(4_000_000);
      const task = storage.upload(path, new Blob([content], { type: 'audio/mpeg' }));
      const paused = Promise.withResolvers<void>();
      const leave = task.observe({
        next({ state, bytesTransferred }) {
          if (state === 'paused') paused.resolve();
          else if (bytesTransferred > 0) task.pause();
        },
      });
      await paused.promise;
      leave();
      assert.ok(task.snapshot.bytesTransferred < content.length);
      assert.ok(task.resume());
      assert.equal((await task).sha256, sha256Of(content));
      assert.deepEqual(await read(server, await storage.getDownloadUrl(path)), content);
    });

    it('reports the reason: no permission, a refused type, no session', async (t) => {
      const server = await startTestServer(t, kind);
      const patient = await storageOf(await server.join());
      const audio = new Blob([mp3(1_000)]);
      assert.deepEqual(await refusal(patient.upload(path, audio)), ['unauthorized', 'storage/unauthorized']);
      const admin = await storageOf(await server.join('admin'));
      const script = new Blob(['<svg onload="alert(1)"/>'], { type: 'image/svg+xml' });
      assert.deepEqual(await refusal(admin.upload('postImages/mind/a', script)), [
        'unknown',
        'request/unsupported-type',
      ]);
      const visitor = await storageOf(server.visitor);
      assert.deepEqual(await refusal(visitor.upload(path, audio)), [
        'unauthenticated',
        'auth/unauthenticated',
      ]);
    });
  });

const storageOf = ({ client }: Pick<TestUser, 'client'>) => client.storage();

async function read(server: TestServer, url: string) {
  return new Uint8Array(await (await server.visitor.fetch(url)).arrayBuffer());
}

async function refusal(upload: PromiseLike<unknown>) {
  const error = await Promise.resolve(upload).then(
    () => assert.fail('The call was not refused.'),
    (reason: StorageError) => reason,
  );
  return [error.code, error.serverCode];
}
