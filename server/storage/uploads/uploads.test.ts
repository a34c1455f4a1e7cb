import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { fileMetadata, storageMessages, tusContentType, tusVersion } from '#contract/storage.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { startTestServer } from '#server/testing/server.ts';
import { digestHeader, metadataHeader, mp3, sha256Of, storageOf } from '#server/testing/storage.ts';

const path = 'postAudios/mind/respirar';

/** Lists the names of the contents in the data folder, finished and unfinished. */
async function contentsIn(dataDir: string): Promise<string[]> {
  const entries = ['files', 'uploads'].map((folder) =>
    readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => []),
  );
  return (await Promise.all(entries)).flat().flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

async function refusalOf(response: Response) {
  const { code, message } = errorBody.parse(await response.json());
  return { status: response.status, code, message };
}

for (const kind of databaseKinds) {
  describe(`uploads on ${kind}`, { concurrency: 2 }, () => {
    it('stores a small file in one request and returns it byte for byte', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const content = mp3(100_000);
      const response = await admin.send(path, content, { contentType: 'audio/mpeg' });
      assert.equal(response.status, 201);
      const metadata = fileMetadata.parse(await response.json());
      assert.deepEqual(metadata, {
        path,
        sizeBytes: content.length,
        contentType: 'audio/mpeg',
        sha256: sha256Of(content),
        createdAt: metadata.createdAt,
      });
      assert.deepEqual(await (await admin.metadata(path)).json(), metadata);
      const file = await server.visitor.fetch(await admin.url(path));
      assert.equal(file.headers.get('content-type'), 'audio/mpeg');
      assert.deepEqual(new Uint8Array(await file.arrayBuffer()), content);
    });

    it('stores a large file chunk by chunk, and reports its progress at any time', async (t) => {
      const server = await startTestServer(t, kind);
      const user = await server.join('admin');
      const admin = storageOf(user);
      const content = mp3(900_000);
      const begun = await admin.start(path, content.length, 'audio/mpeg');
      assert.equal(begun.response.status, 201);
      assert.equal(begun.response.headers.get('tus-resumable'), tusVersion);
      const offset = async () => {
        const head = await user.fetch(begun.url, { method: 'HEAD', headers: begun.headers });
        assert.equal(head.headers.get('upload-length'), String(content.length));
        return Number(head.headers.get('upload-offset'));
      };
      assert.equal(await offset(), 0);
      const first = await admin.patch(begun, 0, content.subarray(0, 262_144));
      assert.equal(first.status, 204);
      assert.equal(first.headers.get('upload-offset'), '262144');
      assert.equal(await offset(), 262_144);
      const last = await admin.patch(begun, 262_144, content.subarray(262_144), {
        headers: digestHeader(content),
      });
      assert.equal(last.status, 204);
      assert.equal(await offset(), content.length);
      const file = await server.visitor.fetch(await admin.url(path));
      assert.deepEqual(new Uint8Array(await file.arrayBuffer()), content);
    });

    it("refuses a part that does not begin at the upload's offset", async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const content = mp3(600_000);
      const begun = await admin.start(path, content.length);
      await admin.patch(begun, 0, content.subarray(0, 300_000));
      for (const offset of [0, 299_999, 300_001]) {
        const refusal = await refusalOf(
          await admin.patch(begun, offset, content.subarray(offset, offset + 1_000)),
        );
        assert.deepEqual(refusal, {
          status: 409,
          code: 'storage/offset-conflict',
          message: storageMessages.offsetConflict(path, 300_000),
        });
      }
    });

    it('stores one complete file when two requests send the same part concurrently', async (t) => {
      const server = await startTestServer(t, kind);
      const twin = await server.twin();
      const user = await server.join('admin');
      const admin = storageOf(user);
      const content = mp3(2_000_000);
      const begun = await admin.start(path, content.length);
      const send = (base: string) =>
        fetch(base + begun.url, {
          method: 'PATCH',
          body: content,
          headers: {
            ...begun.headers,
            ...digestHeader(content),
            origin: server.origin,
            'content-type': tusContentType,
            'upload-offset': '0',
          },
        });
      const responses = await Promise.all([send(server.url), send(twin.url), send(server.url)]);
      const statuses = responses.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 204).length, 1, statuses.join());
      assert.ok(
        statuses.every((status) => [204, 409, 503].includes(status)),
        statuses.join(),
      );
      const file = await server.visitor.fetch(await admin.url(path));
      assert.deepEqual(new Uint8Array(await file.arrayBuffer()), content);
    });

    it('continues after a broken connection, also on another instance', async (t) => {
      const server = await startTestServer(t, kind);
      const twin = await server.twin();
      const user = await server.join('admin');
      const admin = storageOf(user);
      const content = mp3(1_500_000);
      const begun = await admin.start(path, content.length);
      const abort = new AbortController();
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(content.subarray(0, 700_000)),
      });
      const broken = admin.patch(begun, 0, body, { signal: abort.signal, duplex: 'half' });
      const row = () =>
        server.database.selectFrom('uploads').select(['offsetBytes', 'holder']).executeTakeFirstOrThrow();
      while ((await row()).holder === null) await setImmediate();
      abort.abort();
      await assert.rejects(broken);
      const head = await fetch(twin.url + begun.url, { method: 'HEAD', headers: begun.headers });
      const offset = Number(head.headers.get('upload-offset'));
      assert.ok(offset <= 700_000);
      const rest = await fetch(twin.url + begun.url, {
        method: 'PATCH',
        body: content.subarray(offset),
        headers: {
          ...begun.headers,
          ...digestHeader(content),
          origin: server.origin,
          'content-type': tusContentType,
          'upload-offset': String(offset),
        },
      });
      assert.equal(rest.status, 204);
      const file = await server.visitor.fetch(await admin.url(path));
      assert.deepEqual(new Uint8Array(await file.arrayBuffer()), content);
    });

    it('refuses a file with a wrong checksum, and stores nothing', async (t) => {
      const server = await startTestServer(t, kind);
      const user = await server.join('admin');
      const admin = storageOf(user);
      const refused = {
        status: 400,
        code: 'storage/invalid-checksum',
        message: storageMessages.invalidChecksum(path),
      };
      const wrong = sha256Of(mp3(10));
      assert.deepEqual(await refusalOf(await admin.send(path, mp3(5_000), { sha256: wrong })), refused);
      const content = mp3(400_000);
      const begun = await admin.start(path, content.length);
      const last = await admin.patch(begun, 0, content, { headers: { 'repr-digest': `sha-256=:${wrong}:` } });
      assert.deepEqual(await refusalOf(last), refused);
      const gone = await user.fetch(begun.url, { method: 'HEAD', headers: begun.headers });
      assert.equal(gone.status, 404);
      assert.deepEqual(await contentsIn(server.dataDir), []);
      assert.deepEqual(await server.database.selectFrom('uploads').selectAll().execute(), []);
      assert.equal((await admin.metadata(path)).status, 404);
    });

    it('requires the checksum before it reads the last part', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const begun = await admin.start(path, 300_000);
      const refusal = await refusalOf(await admin.patch(begun, 0, mp3(300_000)));
      assert.equal(refusal.code, 'storage/invalid-argument');
      const small = await admin.send(path, mp3(1_000), { sha256: undefined });
      assert.equal((await refusalOf(small)).code, 'storage/invalid-argument');
    });

    it('deletes an upload that its user cancels, but not a finished one', async (t) => {
      const server = await startTestServer(t, kind);
      const user = await server.join('admin');
      const admin = storageOf(user);
      const cancel = ({ url, headers }: { url: string; headers: Record<string, string> }) =>
        user.fetch(url, { method: 'DELETE', headers });
      const begun = await admin.start(path, 600_000);
      await admin.patch(begun, 0, mp3(300_000));
      assert.equal((await cancel(begun)).status, 204);
      assert.deepEqual(await contentsIn(server.dataDir), []);
      assert.equal((await admin.patch(begun, 300_000, mp3(10))).status, 404);

      const finished = await admin.start(path, 300_000);
      await admin.patch(finished, 0, mp3(300_000), { headers: digestHeader(mp3(300_000)) });
      assert.equal((await cancel(finished)).status, 409);
      assert.equal((await admin.metadata(path)).status, 200);
    });

    it('never changes an existing file, and accepts the same one twice', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const content = mp3(5_000);
      assert.equal((await admin.send(path, content)).status, 201);
      assert.equal((await admin.send(path, content)).status, 200);
      const refused = {
        status: 403,
        code: 'storage/unauthorized',
        message: storageMessages.unauthorized(path),
      };
      assert.deepEqual(await refusalOf(await admin.send(path, mp3(5_000, 2))), refused);
      assert.deepEqual(await refusalOf((await admin.start(path, 300_000)).response), refused);
    });

    it('deletes a file with its content', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      await admin.send(path, mp3(5_000));
      const url = await admin.url(path);
      assert.equal((await admin.call(paths.storage.object(path), { method: 'DELETE' })).status, 204);
      assert.deepEqual(await contentsIn(server.dataDir), []);
      assert.equal((await server.visitor.fetch(url)).status, 404);
      const again = await admin.call(paths.storage.object(path), { method: 'DELETE' });
      assert.deepEqual(await refusalOf(again), {
        status: 404,
        code: 'storage/object-not-found',
        message: storageMessages.objectNotFound(path),
      });
    });

    it('accepts only its own version of tus', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const response = await admin.call(paths.storage.resumable, {
        method: 'POST',
        headers: { 'upload-length': '300000', 'upload-metadata': metadataHeader({ path, contentType: '' }) },
      });
      assert.equal(response.headers.get('tus-version'), tusVersion);
      assert.equal((await refusalOf(response)).status, 412);
    });
  });
}
