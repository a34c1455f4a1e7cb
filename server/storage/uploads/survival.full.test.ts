import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { tusContentType } from '#contract/storage.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { png } from '#server/testing/pictures.ts';
import { startTestServer, visitorAt } from '#server/testing/server.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { digestHeader, mp3, sha256Of, storageOf } from '#server/testing/storage.ts';
import { cleanUpFiles } from '../clean-up.ts';
import { openDiskStore } from '../store/disk.ts';

const audio = 'postAudios/mind/respirar';
const day = 24 * 60 * 60_000;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-survival-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function firstAdmin({ url, firstAdminPath }: ServerProcess) {
  const user = visitorAt(url, url);
  await user.client.auth.signUp({
    displayName: 'Ana',
    email: 'ana@exemplo.com.br',
    password: 'senha12345',
  });
  await user.client.auth.becomeFirstAdmin(firstAdminPath().split('#')[1] ?? '');
  return user;
}

type Begun = { url: string; headers: Record<string, string> };

/** Sends the first half of a part, and leaves the request open. */
function sendHalf(server: string, { url, headers }: Begun, offset: number, part: Uint8Array, digest = {}) {
  const sent = request(server + url, {
    method: 'PATCH',
    headers: {
      ...{ ...headers, ...digest, origin: server, 'content-type': tusContentType },
      ...{ 'upload-offset': String(offset), 'content-length': part.length },
    },
  });
  sent.on('error', () => {});
  sent.write(part.subarray(0, Math.floor(part.length / 2)));
  return sent;
}

const offsetOf = async (server: string, { url, headers }: Begun) => {
  const response = await fetch(server + url, { method: 'HEAD', headers });
  assert.equal(response.status, 200);
  return Number(response.headers.get('upload-offset'));
};

it('an upload continues, byte for byte, after the server was killed in the middle of parts', async (t) => {
  const dataDir = await folderFor(t);
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port, url } = server;
  const user = await firstAdmin(server);
  const admin = storageOf(user);
  const content = mp3(60_000_000);
  const begun = await admin.start(audio, content.length, 'audio/mpeg');

  const partBytes = 12_000_000;
  let offset = 0;
  for (let round = 0; round < 5 && offset + partBytes < content.length; round += 1) {
    const whole = await admin.patch(begun, offset, content.subarray(offset, offset + 1_000_000));
    assert.equal(whole.status, 204);
    const sent = sendHalf(
      url,
      begun,
      offset + 1_000_000,
      content.subarray(offset + 1_000_000, offset + partBytes),
    );
    const file = path.join(dataDir, 'uploads');
    const written = async () => {
      const [name = ''] = await readdir(file);
      return stat(path.join(file, name)).then(({ size }) => size);
    };
    while ((await written()) < offset + 3_000_000) await setImmediate();
    await server.kill();
    sent.destroy();
    server = await startServerProcess(dataDir, { PORT: port });
    const next = await offsetOf(url, begun);
    assert.ok(next >= offset + 1_000_000 && next <= offset + partBytes, `${next}`);
    offset = next;
  }
  for (; offset < content.length; offset += partBytes) {
    const part = content.subarray(offset, offset + partBytes);
    const isLast = offset + partBytes >= content.length;
    const response = await admin.patch(begun, offset, part, { headers: isLast ? digestHeader(content) : {} });
    assert.equal(response.status, 204);
  }
  const file = await user.fetch(await admin.url(audio));
  assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), sha256Of(content));
  assert.deepEqual(await readdir(path.join(dataDir, 'uploads')), []);
});

it('an upload continues after the server was killed between storing the whole file and recording it', async (t) => {
  const dataDir = await folderFor(t);
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port } = server;
  const user = await firstAdmin(server);
  const admin = storageOf(user);
  const content = mp3(2_000_000);
  const begun = await admin.start(audio, content.length);
  assert.equal((await admin.patch(begun, 0, content.subarray(0, 500_000))).status, 204);
  await server.kill();
  // Simulates the disk after a kill: the whole file is stored, but its last part is not in the database.
  const [key = ''] = await readdir(path.join(dataDir, 'uploads'));
  const folder = path.join(dataDir, 'files', key.slice(0, 2));
  await mkdir(folder);
  await rm(path.join(dataDir, 'uploads', key));
  await writeFile(path.join(folder, key), content);

  server = await startServerProcess(dataDir, { PORT: port });
  const offset = await offsetOf(server.url, begun);
  assert.equal(offset, 500_000);
  const rest = await admin.patch(begun, offset, content.subarray(offset), { headers: digestHeader(content) });
  assert.equal(rest.status, 204);
  const file = await user.fetch(await admin.url(audio));
  assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), sha256Of(content));
  assert.deepEqual(await readdir(path.join(dataDir, 'uploads')), []);
});

it("the server's shutdown leaves an upload that can continue", async (t) => {
  const dataDir = await folderFor(t);
  let server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const { port, url } = server;
  const admin = storageOf(await firstAdmin(server));
  const content = mp3(8_000_000);
  const begun = await admin.start(audio, content.length);
  const sent = sendHalf(url, begun, 0, content, digestHeader(content));
  while ((await readdir(path.join(dataDir, 'uploads'))).length === 0) await setImmediate();
  await server.stop();
  sent.destroy();
  server = await startServerProcess(dataDir, { PORT: port });
  const offset = await offsetOf(url, begun);
  assert.ok(offset <= 4_000_000);
  const rest = await admin.patch(begun, offset, content.subarray(offset), { headers: digestHeader(content) });
  assert.equal(rest.status, 204);
});

it('a full disk gives 507; reads still work, and uploads work once there is space', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-survival-'));
  // A small file system that the test can fill. The test needs the right to mount it.
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m,mode=700', 'tmpfs', dataDir]);
  t.after(async () => {
    await server?.kill();
    execFileSync('umount', [dataDir]);
    await rm(dataDir, { recursive: true });
  });
  let server: ServerProcess | undefined;
  // Without this limit, files could not fill the disk.
  server = await startServerProcess(dataDir, { FILES_QUOTA_MB: '1000' });
  const user = await firstAdmin(server);
  const admin = storageOf(user);
  const small = mp3(50_000);
  assert.equal((await admin.send('postAudios/mind/antes', small)).status, 201);

  const full = async (response: Response) => {
    assert.equal(response.status, 507);
    assert.equal(errorBody.parse(await response.json()).code, 'server/storage-full');
  };
  await full((await admin.start('postAudios/mind/grande', 70_000_000)).response);

  const content = mp3(20_000_000);
  const begun = await admin.start(audio, content.length);
  assert.equal((await admin.patch(begun, 0, content.subarray(0, 2_000_000))).status, 204);
  // Fills the disk except for five megabytes.
  const { bavail, bsize } = await statfs(dataDir);
  await writeFile(path.join(dataDir, 'outro'), Buffer.alloc(bavail * bsize - 5_000_000));
  await full(
    await admin.patch(begun, 2_000_000, content.subarray(2_000_000), { headers: digestHeader(content) }),
  );
  await full(await admin.send('postAudios/mind/pequeno', small));
  const sizes = await Promise.all(
    (await readdir(path.join(dataDir, 'uploads'))).map(
      async (name) => (await stat(path.join(dataDir, 'uploads', name))).size,
    ),
  );
  assert.deepEqual(sizes, [2_000_000], 'only the earlier file is left');

  const read = await user.fetch(await admin.url('postAudios/mind/antes'));
  assert.deepEqual(new Uint8Array(await read.arrayBuffer()), small);
  assert.equal((await user.fetch(paths.documents.activities('mindActsList'))).status, 200);

  await rm(path.join(dataDir, 'outro'));
  assert.equal(await offsetOf(server.url, begun), 2_000_000);
  const rest = await admin.patch(begun, 2_000_000, content.subarray(2_000_000), {
    headers: digestHeader(content),
  });
  assert.equal(rest.status, 204);
  const file = await user.fetch(await admin.url(audio));
  assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), sha256Of(content));
});

for (const kind of allDatabaseKinds) {
  it(`the clean-up removes abandoned uploads, but not the files of finished ones, on ${kind}`, async (t) => {
    const server = await startTestServer(t, kind);
    const user = await server.join('admin');
    const admin = storageOf(user);
    const content = mp3(400_000);
    assert.equal((await admin.upload(audio, content)).status, 204);
    const abandoned = await admin.start('postAudios/mind/esquecido', 600_000);
    await admin.patch(abandoned, 0, content);
    const context = {
      ...{ database: server.database, databaseKind: kind },
      fileStore: openDiskStore(server.dataDir),
    };
    const uploads = async () => (await readdir(path.join(server.dataDir, 'uploads'))).length;

    await cleanUpFiles(context, Date.now() + day / 2);
    assert.equal(await offsetOf(server.url, abandoned), 400_000);
    await cleanUpFiles(context, Date.now() + 2 * day);
    assert.equal(await uploads(), 0);
    assert.deepEqual(await server.database.selectFrom('uploads').select('id').execute(), []);
    const file = await user.fetch(await admin.url(audio));
    assert.deepEqual(new Uint8Array(await file.arrayBuffer()), content);
  });

  it(`deleting an account deletes its pictures and uploads, but not the library, on ${kind}`, async (t) => {
    const server = await startTestServer(t, kind);
    await server.join('admin');
    const ana = await server.join('admin');
    const storage = storageOf(ana);
    const picture = `profilePics/${ana.uid}/foto`;
    assert.equal((await storage.send(picture, await png())).status, 201);
    assert.equal((await storage.send(audio, mp3(5_000))).status, 201);
    await storage.start('postAudios/mind/pela-metade', 300_000);
    const [photo, sound] = [await storage.url(picture), await storage.url(audio)];
    const mine = (await (await ana.fetch(paths.documents.accountExport)).json()) as {
      files: { path: string }[];
    };
    assert.deepEqual(
      mine.files.map(({ path }) => path),
      [picture, audio],
    );

    await ana.client.auth.deleteAccount({ password: ana.password });
    assert.equal((await server.visitor.fetch(photo)).status, 404);
    assert.equal((await server.visitor.fetch(sound)).status, 200);
    const kept = await readdir(path.join(server.dataDir, 'files'), { recursive: true, withFileTypes: true });
    assert.equal(kept.filter((entry) => entry.isFile()).length, 1);
    assert.deepEqual(await readdir(path.join(server.dataDir, 'uploads')), []);
  });
}
