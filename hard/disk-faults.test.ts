import assert from 'node:assert/strict';
import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ClientError } from '#client/client-error.ts';
import { paths } from '#contract/paths.ts';
import { recordWrites, signUpAdmins } from '#server/testing/recorded-writes.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { createDisk } from './disk-image.ts';
import { report } from './figures.ts';
import { smallFileSystem } from './machine.ts';

const rounds = 10;
const writers = 6;
const refusals = ['server/storage-full', 'server/unavailable'];

it(`a disk that is full ${rounds} times: 507, reads go on, nothing is lost, and writes go on afterwards`, async (t) => {
  const dataDir = await smallFileSystem(t, 96);
  const { server, admins, reader, writes } = await startWithAdmins(t, dataDir);
  const filler = path.join(dataDir, 'filler');

  for (let round = 0; round < rounds; round += 1) {
    const writing = admins.map((admin) => writes.write(admin, refusals));
    const goal = writes.count + 5;
    while (writes.count < goal) await setTimeout(10);
    await fill(filler);
    await Promise.all(writing);

    // Counting the attempt needs disk space, unless the write-ahead log still has room.
    assert.ok([200, 507].includes(await statusOf(signIn(server.url))));
    assert.equal(await statusOf(storageOf(reader).send('postAudios/mind/a', mp3(50_000))), 507);
    assert.equal((await fetch(server.url)).status, 200);
    assert.equal((await reader.fetch(paths.documents.counts)).status, 200);
    await writes.assertKept(reader);
    await rm(filler);
  }
  await writes.assertKept(reader);
  const again = writes.count;
  const last = admins.map((admin) => writes.write(admin, ['client/offline']));
  while (writes.count < again + 5) await setTimeout(10);
  await server.stop();
  await Promise.all(last);
  report(`a full disk, ${rounds} times`, `0 lost of ${writes.count} activities`, '0');
});

it('a disk that becomes read-only: reads go on, writes are refused, and nothing is lost', async (t) => {
  const disk = await createDisk(t);
  const dataDir = path.join(disk.folder, 'data');
  const { server, admins, reader, writes } = await startWithAdmins(t, dataDir);
  const writing = admins.map((admin) => writes.write(admin, refusals));
  while (writes.count < 20) await setTimeout(10);
  disk.fail();
  await Promise.all(writing);

  assert.equal(await statusOf(storageOf(reader).send('postAudios/mind/a', mp3(50_000))), 503);
  assert.equal(await statusOf(signIn(server.url)), 503);
  assert.equal((await fetch(server.url)).status, 200);
  assert.equal((await reader.fetch(paths.documents.counts)).status, 200);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
  await writes.assertKept(reader);
  await server.kill();

  disk.repair();
  const again = await startAgain(t, dataDir, server.port);
  await writes.assertKept(reader);
  assert.equal(await statusOf(signIn(again.url)), 200);
  await again.stop();
  report('a disk that becomes read-only', `0 lost of ${writes.count} activities`, '0');
});

it('a data folder that is replaced while clients write: no write is acknowledged into the wrong folder', async (t) => {
  for (const replace of ['moved', 'removed', 'replaced'] as const) {
    const disk = await smallFileSystem(t, 96);
    const dataDir = path.join(disk, 'data');
    const kept = path.join(disk, 'kept');
    await mkdir(dataDir);
    const { server, admins, reader, writes } = await startWithAdmins(t, dataDir);
    const writing = admins.map((admin) => writes.write(admin, ['client/offline', ...refusals]));
    while (writes.count < 20) await setTimeout(10);
    await rename(dataDir, kept);
    if (replace === 'replaced') await mkdir(dataDir);
    await Promise.all(writing);
    while (server.isRunning()) await setTimeout(50);
    if (replace === 'removed') continue;

    await rm(dataDir, { recursive: true, force: true });
    await rename(kept, dataDir);
    const again = await startAgain(t, dataDir, server.port);
    await writes.assertKept(reader);
    await again.stop();
  }
  report('the data folder moved, removed, replaced', '0 lost', '0');
});

/** Writes to a file until the disk is full. */
async function fill(file: string) {
  for (const bytes of [1_000_000, 4_096])
    try {
      for (;;) await appendFile(file, Buffer.alloc(bytes));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
}

/** Returns the status of the response, or of the error that the client library throws instead. */
async function statusOf(response: Promise<Response>): Promise<number> {
  try {
    return (await response).status;
  } catch (error) {
    if (error instanceof ClientError) return error.status;
    throw error;
  }
}

async function startWithAdmins(t: TestContext, dataDir: string) {
  const server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const admins = await signUpAdmins(server.url, server.firstAdminPath(), writers);
  const [reader] = admins;
  assert.ok(reader);
  return { server, admins, reader, writes: recordWrites() };
}

/** Starts the server on the same folder and port, so that the clients stay signed in. */
async function startAgain(t: TestContext, dataDir: string, port: string) {
  const server = await startServerProcess(dataDir, { PORT: port });
  t.after(() => server.kill());
  return server;
}

function signIn(url: string): Promise<Response> {
  return fetch(url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'admin0@exemplo.com.br', password: 'senha12345' }),
  });
}
