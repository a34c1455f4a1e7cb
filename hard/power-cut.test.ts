import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { recordUploads } from '#server/testing/recorded-uploads.ts';
import { recordWrites, signUpAdmins } from '#server/testing/recorded-writes.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from './figures.ts';

const cuts = 40;
const writers = 6;
const diskMegabytes = 96;

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

it(`keeps every acknowledged write and file through ${cuts} power cuts`, async (t) => {
  const disk = await createDisk(t);
  const dataDir = path.join(disk.folder, 'data');
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port } = server;
  const admins = await signUpAdmins(server.url, server.firstAdminPath(), writers + 1);
  const [uploader, reader] = admins;
  assert.ok(uploader && reader);
  const writes = recordWrites();
  const uploads = recordUploads(uploader, 'audio', 300_000);

  for (let round = 0; round < cuts; round += 1) {
    const goal = writes.count + 3 + (round % 11);
    const enough = Promise.withResolvers<void>();
    const writing = admins
      .slice(1)
      .map((writer) =>
        writes.write(writer, ['client/offline'], () => writes.count >= goal && enough.resolve()),
      );
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
  report(`${cuts} power cuts`, `0 lost of ${writes.count} activities and ${uploads.count} files`, '0');
});

/**
 * A file system in an image in memory. The image has only what the kernel has written to the disk, as after a
 * power cut; everything else is in the kernel's page cache. Needs root and loop devices.
 */
async function createDisk(t: TestContext) {
  const images = await mkdtemp('/dev/shm/acolhe-power-cut-');
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-power-cut-'));
  const image = path.join(images, 'disk.img');
  t.after(async () => {
    spawnSync('umount', ['--lazy', folder]);
    await rm(images, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });
  execFileSync('truncate', ['--size', `${diskMegabytes}M`, image]);
  execFileSync('mkfs.ext4', ['-q', '-F', image]);
  // Without a flush, ext4 writes its journal every 300 s, so that less is on the disk by chance.
  const mount = () => execFileSync('mount', ['-o', 'loop,commit=300', image, folder]);
  mount();
  await mkdir(path.join(folder, 'data'), { recursive: true });
  execFileSync('sync', ['--file-system', folder]);

  return {
    folder,
    /**
     * Copies the image while the process stands still, then continues with the copy.
     * @param end ends the process once the copy is made
     */
    async cutPower(pid: number, end?: () => Promise<void>) {
      if (end) await standStill(pid);
      const copy = path.join(images, 'copy.img');
      await copyAtRest(image, copy);
      await end?.();
      execFileSync('umount', [folder]);
      await rename(copy, image);
      mount();
    },
  };
}

/** Stops all threads of a process. */
async function standStill(pid: number) {
  process.kill(pid, 'SIGSTOP');
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const stat = () => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    // The third field is the state; T means stopped, see proc(5).
    while (!/^\d+ \(.*\) T /.test(stat()));
  }
}

/** Copies a file until two copies are equal: then the kernel wrote nothing during the copy. */
async function copyAtRest(from: string, to: string) {
  const second = `${to}.second`;
  for (;;) {
    await copyFile(from, to);
    await copyFile(from, second);
    if (spawnSync('cmp', ['--silent', to, second]).status === 0) break;
  }
  await rm(second);
}
