import assert from 'node:assert/strict';
import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { storageMessages } from '#contract/storage.ts';
import { countAttempts, rateLimits } from '#server/auth/rate-limits.ts';
import { createStorageTally } from '#server/database/migrations/033-version-0-2.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { png } from '#server/testing/pictures.ts';
import { startTestServer, type TestUser } from '#server/testing/server.ts';
import { digestHeader, mp3, storageOf } from '#server/testing/storage.ts';
import { cleanUpFiles } from '../clean-up.ts';
import { openDiskStore } from '../store/disk.ts';

const audio = 'postAudios/mind/respirar';

/** The refusal of an upload that exceeds the account's quota. */
const accountFull = (path: string) => ({
  status: 402,
  code: 'storage/account-quota-exceeded',
  message: storageMessages.accountQuotaExceeded(path),
});

async function refusalOf(response: Response) {
  const { code, message } = errorBody.parse(await response.json());
  return { status: response.status, code, message };
}

for (const kind of databaseKinds) {
  describe(`the space of files on ${kind}`, { concurrency: 2 }, () => {
    it('limits the bytes of an account, but not those of an admin', async (t) => {
      const server = await startTestServer(t, kind, { environment: { ACCOUNT_QUOTA_MB: '1' } });
      const [ana, bia, admin] = [await server.join(), await server.join(), await server.join('admin')];
      const picture = (uid: string, name: string) => `profilePics/${uid}/${name}`;
      const first = await storageOf(ana).start(picture(ana.uid, 'um'), 600_000);
      assert.equal(first.response.status, 201);
      const second = await storageOf(ana).start(picture(ana.uid, 'dois'), 600_000);
      assert.deepEqual(await refusalOf(second.response), accountFull(picture(ana.uid, 'dois')));
      const { headers, url } = first;
      assert.equal((await ana.fetch(url, { method: 'DELETE', headers })).status, 204);
      for (const [user, path] of [
        [ana, picture(ana.uid, 'dois')],
        [bia, picture(bia.uid, 'um')],
        [admin, picture(admin.uid, 'um')],
        [admin, picture(admin.uid, 'dois')],
      ] as const)
        assert.equal((await storageOf(user).start(path, 600_000)).response.status, 201, path);
    });

    it('limits the pictures of a new or unverified account more than those of others', async (t) => {
      const server = await startTestServer(t, kind, { environment: { MAX_PROFILE_PICTURE_MB: '1' } });
      const ana = await server.join();
      const begin = async (name: string) =>
        (await storageOf(ana).start(`profilePics/${ana.uid}/${name}`, 1_000_000)).response.status;
      const users = server.database.updateTable('users').where('id', '=', ana.uid);
      const old = new Date(Date.now() - 25 * 60 * 60_000);
      for (const name of ['a', 'b', 'c']) assert.equal(await begin(name), 201);
      assert.equal(await begin('d'), 402);
      await users.set({ emailVerified: true }).execute();
      assert.equal(await begin('d'), 402);
      const time = kind === 'sqlite' ? old.toISOString() : old;
      await sql`update users set ${sql.ref('createdAt')} = ${time}`.execute(server.database);
      assert.equal(await begin('d'), 201);
      await users.set({ emailVerified: false }).execute();
      assert.equal(await begin('e'), 402);
    });

    it('limits the pictures that accounts behind one IP address begin to upload', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, admin] = [await server.join(), await server.join('admin')];
      for (let count = 0; count < rateLimits.pictureUploadsByAddress.attempts; count += 1)
        await countAttempts(server, [['pictureUploadsByAddress', '127.0.0.1']]);
      const path = ({ uid }: { uid: string }) => `profilePics/${uid}/foto`;
      assert.equal((await storageOf(ana).start(path(ana), 1_000)).response.status, 429);
      assert.equal((await storageOf(ana).send(path(ana), await png())).status, 429);
      assert.equal((await storageOf(admin).send(path(admin), await png())).status, 201);
    });

    it('discards an unfinished picture after an hour, even if it makes progress', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, admin] = [await server.join(), await server.join('admin')];
      const begun = await storageOf(ana).start(`profilePics/${ana.uid}/foto`, 300_000);
      const sound = await storageOf(admin).start(audio, 300_000);
      const part = (await png()).subarray(0, 60);
      assert.equal((await storageOf(ana).patch(begun, 0, part)).status, 204);
      const { database } = server;
      const fileStore = openDiskStore(server.dataDir);
      const inAnHour = Date.now() + 60 * 60_000;
      await cleanUpFiles({ database, databaseKind: kind, fileStore }, inAnHour);
      const head = async (user: TestUser, { url, headers }: typeof begun) =>
        (await user.fetch(url, { method: 'HEAD', headers })).status;
      assert.equal(await head(ana, begun), 404);
      assert.equal(await head(admin, sound), 200);
    });

    it('keeps one profile picture of a user, the newest, and the record names it', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const storage = storageOf(ana);
      const picture = (name: string, { uid } = ana) => `profilePics/${uid}/${name}`;
      assert.equal((await storageOf(bia).send(picture('dela', bia), await png())).status, 201);
      assert.equal((await storage.send(picture('um'), await png())).status, 201);
      const first = await storage.url(picture('um'));
      assert.equal((await ana.client.documents.updateUser(ana.uid, { profilePic: first })).profilePic, first);

      assert.equal((await storage.upload(picture('dois'), await png(50, 60))).status, 204);
      const second = await storage.url(picture('dois'));
      assert.equal((await server.visitor.fetch(first)).status, 404);
      assert.equal((await server.visitor.fetch(second)).status, 200);
      const record = await ana.client.documents.getUser(ana.uid);
      assert.ok(record);
      assert.equal(record.profilePic, second);
      const stored = async () =>
        (await server.database.selectFrom('files').select('path').execute()).map(({ path }) => path).sort();
      assert.deepEqual(await stored(), [picture('dois'), picture('dela', bia)].sort());
      const onDisk = await readdir(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true });
      const contents = onDisk.filter((entry) => entry.isFile()).map(({ name }) => name.split('.')[0]);
      assert.equal(new Set(contents).size, 2);

      // If `profilePic` does not name a stored picture, uploading a picture leaves it unchanged.
      await ana.client.documents.updateUser(ana.uid, { profilePic: false });
      const both = [
        storage.send(picture('tres'), await png(70, 70)),
        storage.send(picture('4'), await png(80, 80)),
      ];
      for (const response of await Promise.all(both)) assert.ok([201, 404, 503].includes(response.status));
      assert.equal((await stored()).filter((path) => path.startsWith(`profilePics/${ana.uid}`)).length, 1);
      const unchanged = await ana.client.documents.getUser(ana.uid);
      assert.ok(unchanged);
      assert.equal(unchanged.profilePic, false);
    });

    it('counts all bytes without adding up the files', async (t) => {
      const server = await startTestServer(t, kind);
      const [admin, rui] = [await server.join('admin'), await server.join()];
      const storage = storageOf(admin);
      const tally = async () => {
        const { database } = server;
        const { change } = await database
          .selectFrom('storageTally')
          .select((row) => row.fn.sum<number>('change').as('change'))
          .executeTakeFirstOrThrow();
        const files = await database.selectFrom('files').select('storedBytes').execute();
        const uploads = await database
          .selectFrom('uploads')
          .select('sizeBytes')
          .where('finishedAt', 'is', null)
          .execute();
        const bytes = [...files.map((file) => file.storedBytes), ...uploads.map((one) => one.sizeBytes)];
        assert.equal(
          Number(change),
          bytes.reduce((sum, one) => sum + one, 0),
        );
        return Number(change);
      };
      assert.equal(await tally(), 0);
      await storage.send(audio, mp3(1_000));
      assert.equal(await tally(), 1_000);
      const begun = await storage.start('postAudios/mind/b', 300_000);
      assert.equal(await tally(), 301_000);
      await storage.patch(begun, 0, mp3(300_000), { headers: digestHeader(mp3(300_000)) });
      assert.equal(await tally(), 301_000);
      await storage.send('postAudios/mind/c', new TextEncoder().encode('texto'));
      assert.equal(await tally(), 301_000);
      await storageOf(rui).send(`profilePics/${rui.uid}/a`, await png());
      await storageOf(rui).start(`profilePics/${rui.uid}/b`, 5_000);
      const before = await tally();
      assert.ok(before > 306_000);
      // The migration counts the files that already exist.
      const objects =
        kind === 'sqlite'
          ? ['fileAdded', 'fileRemoved', 'uploadBegun', 'uploadFinished', 'uploadRemoved'].map(
              (name) => `trigger "${name}"`,
            )
          : ['function "tallyFiles" cascade', 'function "tallyUploads" cascade'];
      for (const object of [...objects, 'table "storageTally"'])
        await sql.raw(`drop ${object}`).execute(server.database);
      await createStorageTally(server.database, kind === 'sqlite');
      assert.equal(await tally(), before);
      await rui.client.auth.deleteAccount({ password: rui.password });
      assert.equal(await tally(), 301_000);
      await storage.call(paths.storage.object(audio), { method: 'DELETE' });
      const fileStore = openDiskStore(server.dataDir);
      await cleanUpFiles({ database: server.database, databaseKind: kind, fileStore });
      assert.equal(await tally(), 300_000);
      const rows = await server.database.selectFrom('storageTally').selectAll().execute();
      assert.equal(rows.length, 1);
    });

    it('limits all files to a share of the disk by default', async (t) => {
      const server = await startTestServer(t, kind);
      const storage = storageOf(await server.join('admin'));
      const { blocks, bsize } = await statfs(server.dataDir);
      const change = Math.ceil(0.8 * blocks * bsize);
      await server.database.insertInto('storageTally').values({ change }).execute();
      assert.equal((await storage.send(audio, mp3(1_000))).status, 402);
      await server.database.insertInto('storageTally').values({ change: -2_000 }).execute();
      assert.equal((await storage.send(audio, mp3(1_000))).status, 201);
    });

    it('limits the pictures of a user and the total bytes of all files', async (t) => {
      const server = await startTestServer(t, kind, {
        environment: { FILES_QUOTA_MB: '2', MAX_AUDIO_MB: '1', MAX_PROFILE_PICTURE_MB: '1' },
      });
      const [ana, admin] = [await server.join(), await server.join('admin')];
      const tooLarge = await refusalOf((await storageOf(admin).start(audio, 1_000_001)).response);
      assert.deepEqual(tooLarge, {
        status: 413,
        code: 'request/too-large',
        message: storageMessages.tooLarge(audio, 1_000_000),
      });
      const picture = (n: number) => `profilePics/${ana.uid}/foto${n}`;
      for (let n = 0; n < 10; n += 1)
        assert.equal((await storageOf(ana).start(picture(n), 1_000)).response.status, 201);
      const eleventh = (await storageOf(ana).start(picture(11), 1_000)).response;
      assert.deepEqual(await refusalOf(eleventh), accountFull(picture(11)));
      // Unfinished uploads count, too, even when several begin concurrently.
      const begun = await Promise.all(
        ['um', 'dois', 'tres'].map((id) => storageOf(admin).start(`postAudios/mind/${id}`, 900_000)),
      );
      const statuses = begun.map(({ response }) => response.status).sort();
      assert.deepEqual(statuses, [201, 201, 402]);
    });
  });
}
