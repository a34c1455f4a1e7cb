import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import type { StorageError } from '#client/storage/storage-error.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { startTestServer, type TestServer, type TestUser } from '../testing/server.ts';
import { mp3, sha256Of } from '../testing/storage.ts';

const path = 'postAudios/mind/respirar';

for (const kind of databaseKinds)
  describe(`the client library with the file service, on ${kind}`, { concurrency: 2 }, () => {
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

    it('makes no refused call in a good upload, and solves one challenge', async (t) => {
      const server = await startTestServer(t, kind);
      const calls: string[] = [];
      server.app.server.on('request', ({ method, url }: IncomingMessage, response: ServerResponse) =>
        response.once('finish', () => calls.push(`${method} ${url?.split('?')[0]} ${response.statusCode}`)),
      );
      const storage = await storageOf(await server.join('admin'));
      calls.length = 0;
      await storage.upload(path, new Blob([mp3(600_000)], { type: 'audio/mpeg' }));
      assert.deepEqual(
        calls.map((call) => call.replace(/[\da-f]{8}-[-\da-f]+/, 'id')),
        [
          'GET /api/auth/token 200',
          'GET /api/auth/app-check/challenge 200',
          'POST /api/auth/app-check 200',
          'POST /api/storage/resumable 201',
          'PATCH /api/storage/resumable/id 204',
          'PATCH /api/storage/resumable/id 204',
          'GET /api/storage/metadata 200',
        ],
      );
    });

    for (const [what, bytes, cancelWhen] of [
      ['a small upload', 200_000, /^POST .*objects/],
      ['a large upload', 600_000, /^GET .*metadata/],
      ['the last chunk of an upload', 300_000, /^PATCH .* sha-256=/],
    ] as const)
      it(`stores nothing when ${what} is cancelled before its last response`, async (t) => {
        const server = await startTestServer(t, kind);
        const storage = await storageOf(await server.join('admin'));
        const task = storage.upload(path, new Blob([mp3(bytes)], { type: 'audio/mpeg' }));
        const deleted = Promise.withResolvers<void>();
        let last = 0;
        server.app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
          const { method, url, headers } = request;
          if (cancelWhen.test(`${method} ${url} ${headers['repr-digest']}`)) {
            // Makes the client cancel just before the server sends the head of the response.
            const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
            response.writeHead = ((...head: unknown[]) => {
              last = response.statusCode;
              task.cancel();
              return writeHead(...head);
            }) as typeof response.writeHead;
          }
          if (method === 'DELETE' && url?.startsWith(paths.storage.objects))
            response.once('finish', () => deleted.resolve());
        });
        await assert.rejects(Promise.resolve(task), { code: 'canceled' });
        await deleted.promise;
        assert.ok(last < 300);
        assert.deepEqual(await server.database.selectFrom('files').select('path').execute(), []);
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
