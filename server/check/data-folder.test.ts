import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { requireUsableFolder } from './data-folder.ts';

/** Everything that servers write into the data folder. */
const folders = ['files/ab', 'outbox', 'uploads', 'usage-records'];
const files = [
  ...['acolhe.sqlite', 'acolhe.sqlite-wal', 'acolhe.sqlite-shm', 'server.lock', 'uploads/abc'],
  'usage-records/2026-11-26.jsonl',
];
const isRoot = process.getuid?.() === 0;
const another = 65_534;

async function makeFolder(t: TestContext): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-owner-'));
  t.after(() => {
    execFileSync('chmod', ['-R', 'u+rwX', dataDir]);
    return rm(dataDir, { recursive: true });
  });
  for (const folder of folders) await mkdir(path.join(dataDir, folder), { recursive: true });
  for (const file of files) await writeFile(path.join(dataDir, file), '');
  return dataDir;
}

describe('the check of the data folder', () => {
  it('accepts what a server has written, and files of others that it does not use', async (t) => {
    const dataDir = await makeFolder(t);
    await mkdir(path.join(dataDir, 'after-upgrade'), { mode: 0 });
    requireUsableFolder(dataDir);
  });

  it('names the path and the command, for everything that the server could not change', async (t) => {
    const dataDir = await makeFolder(t);
    for (const name of ['files', 'files/ab', 'outbox', 'uploads', 'usage-records', ...files]) {
      const place = path.join(dataDir, name);
      await chmod(place, 0o500);
      const message = `As permissões de ${place} não deixam o servidor ler e gravar. Nada foi mudado. Rode: chmod -R u+rwX ${dataDir}`;
      assert.throws(() => requireUsableFolder(dataDir), { name: 'StartError', message });
      await chmod(place, 0o700);
    }
    requireUsableFolder(dataDir);
  });

  it('names the owner that it should have', {
    skip: !isRoot && 'only root can change an owner',
  }, async (t) => {
    const dataDir = await makeFolder(t);
    for (const name of ['.', 'files', 'files/ab', ...files]) {
      const place = path.join(dataDir, name);
      await chown(place, another, another);
      assert.throws(() => requireUsableFolder(dataDir), {
        name: 'StartError',
        message: `${place} pertence a outro usuário (${another}), e este programa roda como root. Nada foi mudado. Rode-o com o usuário do servidor.`,
      });
      await chown(place, 0, 0);
    }
  });

  it("tells the server's user how to get a folder of root", {
    skip: !isRoot && 'only root can change its user',
  }, async (t) => {
    const dataDir = await makeFolder(t);
    process.setegid?.(another);
    process.seteuid?.(another);
    try {
      assert.throws(() => requireUsableFolder(dataDir), {
        name: 'StartError',
        message: `${dataDir} pertence a outro usuário (0). Nada foi mudado. Entregue-o a este, como root: chown -R ${another}:${another} ${dataDir}`,
      });
      assert.throws(() => requireUsableFolder(path.join(dataDir, 'new')), {
        name: 'StartError',
        message: /não aceita gravação \(EACCES.*DATA_DIR\.$/,
      });
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  });
});
