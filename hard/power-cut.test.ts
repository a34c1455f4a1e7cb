import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { recordUploads } from '#server/testing/recorded-uploads.ts';
import { recordWrites, signUpAdmins } from '#server/testing/recorded-writes.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { createDisk } from './disk-image.ts';
import { report } from './figures.ts';

const cuts = 40;
const writers = 6;

it('the simulated disk loses what was not flushed and keeps what was', async (t) => {
  const disk = await createDisk(t);
  const flushed = await open(path.join(disk.folder, 'flushed'), 'w');
  await flushed.writeFile('flushed');
  await flushed.sync();
  await flushed.close();
  await writeFile(path.join(disk.folder, 'not-flushed'), 'not flushed');
  await disk.cutPower(process.pid);
  assert.equal(await readFile(path.join(disk.folder, 'flushed'), 'utf8'), 'flushed');
  const lost = path.join(disk.folder, 'not-flushed');
  assert.ok(!existsSync(lost) || readFileSync(lost, 'utf8') === '');
});

it(`the server keeps every acknowledged write and file through ${cuts} power cuts`, async (t) => {
  const disk = await createDisk(t);
  const dataDir = path.join(disk.folder, 'data');
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port } = server;
  const admins = await signUpAdmins(server.url, server.firstAdminPath(), writers + 1);
  const [uploader, reader] = admins;
  assert.ok(uploader && reader);
  const writes = recordWrites();
  // The server flushes all parts to the disk only with the last part, so after a power cut an upload may have
  // to begin again.
  const uploads = recordUploads(uploader, 'audio', 300_000, { mayBeginAgain: true });

  for (let round = 0; round < cuts; round += 1) {
    const goal = writes.count + 3 + (round % 11);
    const filesBefore = uploads.count;
    const enough = Promise.withResolvers<void>();
    const writing = admins.slice(1).map((writer) =>
      writes.write(writer, ['client/offline'], () => {
        // Most rounds end in the middle of an upload, but every fourth round waits for a complete upload.
        const isFileDue = round % 4 === 0 && uploads.count === filesBefore;
        if (writes.count >= goal && !isFileDue) enough.resolve();
      }),
    );
    await uploads.begin();
    const uploading = uploads.upload();
    await enough.promise;
    await disk.cutPower(server.pid, () => server.kill());
    await Promise.all([...writing, uploading]);

    server = await startServerProcess(dataDir, { PORT: port });
    await writes.assertKept(reader);
  }
  await uploads.finish();
  await uploads.assertKept();
  await server.stop();
  const database = new DatabaseSync(path.join(dataDir, 'acolhe.sqlite'));
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
  database.close();
  assert.ok(uploads.count >= cuts / 4, `${uploads.count} files`);
  report(`${cuts} power cuts`, `0 lost of ${writes.count} activities and ${uploads.count} files`, '0');
});
