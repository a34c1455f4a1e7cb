import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { recordUploads } from '#server/testing/recorded-uploads.ts';
import { recordWrites, signUpAdmins } from '#server/testing/recorded-writes.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from './figures.ts';
import { temporaryFolder } from './machine.ts';

const kills = 100;
const writers = 8;
const uploaders = 2;
const fileBytes = 600_000;

it(`the server keeps every acknowledged write and file when it is killed ${kills} times`, async (t) => {
  const dataDir = await temporaryFolder(t);
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port } = server;
  const admins = await signUpAdmins(server.url, server.firstAdminPath(), writers + uploaders);
  const [reader] = admins;
  assert.ok(reader);
  const writes = recordWrites();
  const uploads = admins
    .slice(writers)
    .map((admin, index) => recordUploads(admin, `audio${index}`, fileBytes));

  const countFiles = () => uploads.reduce((sum, { count }) => sum + count, 0);

  for (let round = 0; round < kills; round += 1) {
    const goal = writes.count + 3 + (round % 17);
    const filesBefore = countFiles();
    const enough = Promise.withResolvers<void>();
    const writing = admins.slice(0, writers).map((writer) =>
      writes.write(writer, ['client/offline'], () => {
        // Most rounds end in the middle of an upload, but every fourth round waits for a complete upload.
        const isFileDue = round % 4 === 0 && countFiles() === filesBefore;
        if (writes.count >= goal && !isFileDue) enough.resolve();
      }),
    );
    // Wait for the tokens of the uploads before the kill: getting them takes longer than the writes of a
    // round.
    await Promise.all(uploads.map(({ begin }) => begin()));
    const uploading = uploads.map(({ upload }) => upload());
    await enough.promise;
    await server.kill();
    await Promise.all([...writing, ...uploading]);

    server = await startServerProcess(dataDir, { PORT: port });
    await writes.assertKept(reader);
  }
  for (const { finish, assertKept } of uploads) {
    await finish();
    await assertKept();
  }
  await server.stop();
  const database = new DatabaseSync(path.join(dataDir, 'acolhe.sqlite'));
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), []);
  const begun = database.prepare('select "key" from uploads where "finishedAt" is null').all();
  database.close();
  // The clean-up later deletes the files of abandoned uploads, but it would not find any other file.
  const abandoned = begun.map(({ key }) => String(key));
  const stored = readdirSync(path.join(dataDir, 'uploads'));
  assert.deepEqual(
    stored.filter((file) => !abandoned.some((key) => file.startsWith(key))),
    [],
  );
  const files = countFiles();
  assert.ok(files >= kills / 4, `${files} files`);
  report(`${kills} kills`, `0 lost of ${writes.count} activities and ${files} files`, '0');
});
