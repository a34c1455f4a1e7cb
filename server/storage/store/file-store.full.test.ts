import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type SwiftServer, startSwift } from '#server/testing/peers/swift.ts';
import { ContentMissing, type FileStore, UploadLost } from './file-store.ts';
import { openFileStore } from './open-file-store.ts';

const mebibyte = 1024 * 1024;
const uninterrupted = new AbortController().signal;
const newKey = () => randomBytes(20).toString('hex');

let swift: SwiftServer;

/** The stores; each must pass the same tests. */
const stores: Record<string, { open(dataDir: string): Promise<FileStore> }> = {
  disk: { open: (dataDir) => openFileStore({ s3: undefined, dataDir }) },
  's3 (OpenStack Swift)': { open: (dataDir) => openFileStore({ s3: swift, dataDir }) },
};

for (const [name, { open }] of Object.entries(stores)) {
  describe(`file store on ${name}`, () => {
    let dataDir: string;
    let store: FileStore;
    const isS3 = name !== 'disk';

    before(async () => {
      dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-store-'));
      if (isS3) swift = await startSwift();
      store = await open(dataDir);
    });
    after(async () => {
      await rm(dataDir, { recursive: true, force: true });
      if (isS3) await swift.remove();
    });

    const begin = async (content: Uint8Array) => {
      const key = newKey();
      return { key, sizeBytes: content.length, state: await store.begin(key, content.length) };
    };
    /** Writes a range in one request, in chunks like those of a network, and commits it. */
    const write = async (
      upload: Awaited<ReturnType<typeof begin>>,
      content: Uint8Array,
      start: number,
      end: number,
    ) => {
      const writer = await store.write(upload, start, uninterrupted);
      for (let at = start; at < end; at += 65_536)
        // Copies the chunk, because the writer may free its memory.
        await writer.write(new Uint8Array(content.subarray(at, Math.min(at + 65_536, end))));
      if (end === content.length) return writer.finish();
      await writer.commit();
      await writer.noted();
      await writer.close();
    };
    const read = async (key: string) => buffer(await store.read(key));
    const isMissing = (error: unknown) => error instanceof ContentMissing;

    it('lists the keys of its contents, without unfinished uploads', async () => {
      const keys = Array.from({ length: 3 }, newKey).sort();
      const listed = async () => {
        const found: string[] = [];
        for await (const key of store.keys()) found.push(key);
        return found.sort();
      };
      assert.deepEqual(await listed(), []);
      for (const key of keys) await store.put(key, randomBytes(10));
      const upload = await begin(randomBytes(100));
      assert.deepEqual(await listed(), keys);
      await store.remove([upload.key], upload.state);
      await store.remove(keys, '');
      assert.deepEqual(await listed(), []);
    });

    it('returns stored contents, complete and in ranges', async () => {
      const [key, content] = [newKey(), randomBytes(100_000)];
      await store.put(key, content);
      assert.deepEqual(await read(key), content);
      const part = await buffer(await store.read(key, { start: 99, end: 1_000 }));
      assert.deepEqual(part, content.subarray(99, 1_001));
      assert.deepEqual(
        await buffer(await store.read(key, { start: 99_999, end: 99_999 })),
        content.subarray(99_999),
      );
    });

    it('joins an upload of one byte, and one of many parts in many requests', async () => {
      for (const [size, cuts] of [
        [1, []],
        [300_000, [262_144]],
        [8 * mebibyte, [mebibyte, 8 * mebibyte - 1]],
        [21 * mebibyte + 7, [262_144, 3 * 262_144, 8 * mebibyte, 20 * mebibyte, 21 * mebibyte + 6]],
      ] as const) {
        const content = randomBytes(size);
        const upload = await begin(content);
        let start = 0;
        for (const end of [...cuts, size]) {
          await write(upload, content, start, end);
          start = end;
        }
        assert.ok((await read(upload.key)).equals(content), String(size));
      }
    });

    it('drops uncommitted bytes, and bytes that were written twice', async () => {
      const content = randomBytes(9 * mebibyte);
      const upload = await begin(content);
      await write(upload, content, 0, mebibyte);
      const broken = await store.write(upload, mebibyte, uninterrupted);
      await broken.write(randomBytes(8 * mebibyte));
      await broken.close();
      await write(upload, content, mebibyte, content.length);
      assert.ok((await read(upload.key)).equals(content));
    });

    it('hides an upload until it is finished', async () => {
      const content = randomBytes(600_000);
      const upload = await begin(content);
      await write(upload, content, 0, 300_000);
      await assert.rejects(store.read(upload.key), isMissing);
    });

    it('reports that the beginning of an upload is lost', async () => {
      const content = randomBytes(600_000);
      const upload = await begin(content);
      await write(upload, content, 0, 300_000);
      await store.remove([upload.key], upload.state);
      await assert.rejects(write(upload, content, 300_000, 600_000), (error) => error instanceof UploadLost);
    });

    it('removes unfinished and finished contents, and ignores missing ones', async () => {
      const content = randomBytes(9 * mebibyte);
      const begun = await begin(content);
      await write(begun, content, 0, 8 * mebibyte + 5);
      const finished = await begin(content);
      await write(finished, content, 0, content.length);
      for (const { key, state } of [begun, finished]) await store.remove([key, `${key}.full`], state);
      await store.remove([newKey()], '');
      for (const { key } of [begun, finished]) await assert.rejects(store.read(key), isMissing);
      await assert.rejects(
        write(begun, content, 8 * mebibyte + 5, content.length),
        (error) => error instanceof UploadLost,
      );
    });

    if (isS3) {
      it('is unavailable while the server is unreachable, and recovers', async () => {
        const [key, content] = [newKey(), randomBytes(1_000)];
        await store.put(key, content);
        await swift.stop();
        await assert.rejects(store.read(key), { code: 'server/unavailable' });
        await assert.rejects(store.begin(newKey(), 5), { code: 'server/unavailable' });
        await swift.start();
        // After a restart, it takes a moment before Swift's processes can reach one another.
        let found: Buffer | undefined;
        for (;;) {
          found = await read(key).catch(() => undefined);
          if (found) break;
          await wait(100);
        }
        assert.deepEqual(found, content);
      });
    }
  });
}
