import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { sampleActivity } from '../testing/samples.ts';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { readFolderId } from './installation/installation.ts';

it('a full disk gives 507 to sign-in and edits; reads go on, and writes work once there is space', async (t) => {
  const dataDir = await mountDisk(t);
  const server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  const ana = visitorAt(server.url, server.url);
  const account = { email: 'ana@exemplo.com.br', password: 'senha12345' };
  await ana.client.auth.signUp({ displayName: 'Ana', ...account });
  await ana.client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
  const list = paths.documents.activities('mindActsList');
  const send = async (path: string, body: object) => {
    const response = await ana.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return { status: response.status, code: undefined, text: await response.text() };
    const { code } = errorBody.parse(await response.json());
    return { status: response.status, code, text: '' };
  };
  const signIn = () => send(paths.auth.signIn, account);
  const edit = () => send(`${list}/items`, sampleActivity({ content: 'Note o ar. '.repeat(4_000) }));
  assert.equal((await signIn()).status, 200);
  assert.equal((await edit()).status, 201);
  let stored = 1;

  const ballast = path.join(dataDir, 'ballast');
  await fill(dataDir, ballast);
  // Writes still succeed while they fit into the disk space that SQLite's log already occupies.
  for (const [work, done] of [[edit, 201] as const, [signIn, 200] as const]) {
    let result = await work();
    for (let attempt = 0; attempt < 200 && result.status === done; attempt += 1) {
      if (work === edit) stored += 1;
      await fill(dataDir, ballast);
      result = await work();
    }
    assert.deepEqual(result, { status: 507, code: 'server/storage-full', text: '' }, server.log());
  }
  const read = async () => {
    const response = await ana.fetch(list);
    assert.equal(response.status, 200);
    return ((await response.json()) as { mindActsList: unknown[] }).mindActsList.length;
  };
  assert.equal(await read(), stored);

  await rm(ballast);
  assert.equal((await edit()).status, 201);
  assert.equal((await signIn()).status, 200);
  assert.equal(await read(), stored + 1);
});

/** Fills the disk to its last block. */
async function fill(folder: string, ballast: string) {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' }).catch(() => {});
}

it('a full disk leaves no empty id of the data folder, and the id is the same ever after', async (t) => {
  const dataDir = await mountDisk(t);
  const ballast = path.join(dataDir, 'ballast');
  await fill(dataDir, ballast);
  await assert.rejects(readFolderId(dataDir), { code: 'ENOSPC' });
  await rm(ballast);
  const id = await readFolderId(dataDir);
  assert.match(id, /^[\da-f-]{36}$/);
  assert.equal(await readFolderId(dataDir), id);
});

/** Mounts a disk of 16 MB. The test needs the right to mount it. */
async function mountDisk(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=700', 'tmpfs', folder]);
  t.after(async () => {
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}
