import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { tusContentType } from '#contract/storage.ts';
import { type SwiftServer, s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { photo } from '#server/testing/pictures.ts';
import { startTestServer } from '#server/testing/server.ts';
import { digestHeader, mp3, sha256Of, storageOf } from '#server/testing/storage.ts';
import { cleanUpFiles } from '../clean-up.ts';
import { openS3Store } from './s3.ts';

const audio = 'postAudios/mind/respirar';
const image = 'postImages/mind/folha';

describe('files on S3 and PostgreSQL, with two instances', () => {
  let swift: SwiftServer;
  before(async () => {
    swift = await startSwift();
  });
  after(() => swift.remove());

  const listKeys = async () => {
    const client = new S3Client({ ...swift, credentials: swift, forcePathStyle: true });
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: swift.bucket }));
    client.destroy();
    return Contents.map(({ Key }) => Key);
  };

  it('are uploaded in parts to both instances in turns, served by both, and removed by a deletion', async (t) => {
    const server = await startTestServer(t, 'postgres', { environment: s3Environment(swift) });
    const twin = await server.twin();
    const user = await server.join('admin');
    const admin = storageOf(user);
    const content = mp3(20_000_000);
    const begun = await admin.start(audio, content.length, 'audio/mpeg');
    const partBytes = 3_000_000;
    for (let offset = 0, turn = 0; offset < content.length; offset += partBytes, turn += 1) {
      const isLast = offset + partBytes >= content.length;
      const response = await fetch([server.url, twin.url][turn % 2] + begun.url, {
        method: 'PATCH',
        body: content.subarray(offset, offset + partBytes),
        headers: {
          ...begun.headers,
          ...(isLast && digestHeader(content)),
          origin: server.origin,
          'content-type': tusContentType,
          'upload-offset': String(offset),
        },
      });
      assert.equal(response.status, 204);
    }
    const url = await admin.url(audio);
    for (const base of [server.url, twin.url]) {
      const file = await fetch(base + url);
      assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), sha256Of(content));
    }
    const part = await fetch(twin.url + url, { headers: { range: 'bytes=8388600-8388620' } });
    assert.equal(part.status, 206);
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), content.slice(8_388_600, 8_388_621));

    assert.equal((await admin.upload(image, await photo(900, 600))).status, 204);
    const small = await fetch(`${twin.url}${await admin.url(image)}&width=480`);
    assert.equal(small.headers.get('content-type'), 'image/webp');
    await small.arrayBuffer();

    const refused = await admin.upload(
      'postAudios/mind/outro',
      content.subarray(0, 9_000_000),
      9_000_000,
      'image/png',
    );
    assert.equal(refused.status, 415);
    for (const path of [audio, image])
      assert.equal((await admin.call(paths.storage.object(path), { method: 'DELETE' })).status, 204);
    assert.deepEqual(await listKeys(), []);
  });

  it('are deleted at once while the store is unreachable; their contents are removed later', async (t) => {
    const server = await startTestServer(t, 'postgres', { environment: s3Environment(swift) });
    const admin = storageOf(await server.join('admin'));
    assert.equal((await admin.send(audio, mp3(1_000))).status, 201);
    const proofs = await admin.proofs();
    await swift.stop();
    const deleted = await server.visitor.fetch(paths.storage.object(audio), {
      method: 'DELETE',
      headers: proofs,
    });
    assert.equal(deleted.status, 204);
    assert.equal((await admin.metadata(audio)).status, 404);
    await swift.start();
    assert.equal((await listKeys()).length, 1);
    await cleanUpFiles({
      database: server.database,
      databaseKind: 'postgres',
      fileStore: openS3Store(swift),
    });
    assert.deepEqual(await listKeys(), []);
    assert.deepEqual(await server.database.selectFrom('discardedContents').selectAll().execute(), []);
  });

  it('are cleaned up: uploads that a crash has left in the store end after a day, all others continue', async (t) => {
    const server = await startTestServer(t, 'postgres', { environment: s3Environment(swift) });
    const admin = storageOf(await server.join('admin'));
    const fileStore = openS3Store(swift);
    t.after(() => fileStore.close());
    const content = mp3(9_000_000);
    const begun = await admin.start(audio, content.length);
    assert.equal((await admin.patch(begun, 0, content.subarray(0, 8_500_000))).status, 204);
    await fileStore.begin('a'.repeat(40), 1_000);
    await fileStore.begin('b'.repeat(40), 1_000);
    const client = new S3Client({ ...swift, credentials: swift, forcePathStyle: true });
    t.after(() => client.destroy());
    const countUploads = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket: swift.bucket }))).Uploads?.length ?? 0;
    assert.equal(await countUploads(), 3);
    const day = 24 * 60 * 60_000;
    const context = { database: server.database, databaseKind: 'postgres' as const, fileStore };
    await cleanUpFiles(context, Date.now() + day / 2);
    assert.equal(await countUploads(), 3);
    await server.database
      .updateTable('uploads')
      .set({ expiresAt: Date.now() + 3 * day })
      .execute();
    await cleanUpFiles(context, Date.now() + day + 60_000);
    assert.equal(await countUploads(), 1);
    const rest = await admin.patch(begun, 8_500_000, content.subarray(8_500_000), {
      headers: digestHeader(content),
    });
    assert.equal(rest.status, 204);
    assert.equal((await admin.call(paths.storage.object(audio), { method: 'DELETE' })).status, 204);
  });

  it('cannot be uploaded (503) while the store is unreachable, but lists of activities can be read', async (t) => {
    const away = { ...swift, endpoint: 'http://127.0.0.1:1' };
    const server = await startTestServer(t, 'postgres', { environment: s3Environment(away) });
    const admin = storageOf(await server.join('admin'));
    for (const response of [
      (await admin.start(audio, 300_000)).response,
      await admin.send(audio, mp3(1_000)),
    ]) {
      assert.equal(response.status, 503);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
      assert.equal(errorBody.parse(await response.json()).code, 'server/unavailable');
    }
    assert.equal((await server.visitor.fetch(paths.documents.activities('mindActsList'))).status, 200);
    assert.deepEqual(await server.database.selectFrom('uploads').select('id').execute(), []);
  });
});
