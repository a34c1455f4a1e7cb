import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';

const isRoot = process.getuid?.() === 0;
/** Root may read and write everything, so root runs the program as another user. */
const user = isRoot ? 65_534 : process.getuid?.();
const program = pathToFileURL(path.join(import.meta.dirname, 'backup-folder.ts'));

/** Makes a folder with one snapshot, which belongs to `user`. */
async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-backups-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'snapshots/2026'), { recursive: true });
  await writeFile(path.join(folder, 'snapshots/2026/manifest.jsonl'), '');
  if (isRoot)
    for (const name of ['.', 'snapshots', 'snapshots/2026', 'snapshots/2026/manifest.jsonl'])
      await chown(path.join(folder, name), 65_534, 65_534);
  return folder;
}

/** Opens the folder as `user`, and runs `code` with the `store`. @returns the message of an error */
function use(folder: string, code: string): string {
  const script = `import { openBackupFolder } from '${program}';
    import { Readable } from 'node:stream';
    const store = openBackupFolder(${JSON.stringify(folder)});
    try { ${code} } catch (error) { console.log(error.name + ': ' + error.message); }`;
  const as = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const args = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: {}, cwd: '/', ...as }).trim();
}

describe('a folder for backups', () => {
  it('may be the root of a disk, with a folder that only root can read', async (t) => {
    const folder = await makeFolder(t);
    await mkdir(path.join(folder, 'lost+found'), { mode: 0 });
    await writeFile(path.join(folder, 'place-id.unfinished-1'), '');
    const code = `await store.check();
      await store.write('place-id', Readable.from(['a']));
      await store.removeUnfinished();`;
    assert.equal(use(folder, code), '');
    assert.deepEqual(await readdir(folder), ['lost+found', 'place-id', 'snapshots']);
  });

  it('is refused, with the command that corrects it, if this user cannot use a part of it', async (t) => {
    const folder = await makeFolder(t);
    for (const name of ['', 'snapshots/2026', 'snapshots/2026/manifest.jsonl']) {
      const place = path.join(folder, name);
      await chmod(place, 0);
      const message = use(folder, 'await store.check();');
      assert.match(
        message,
        /^StartError: A pasta dos backups, .* não aceita leitura e gravação deste usuário/,
      );
      assert.ok(message.includes(`(${place}). Se ela é um disco, veja se está montado`), message);
      assert.match(message, new RegExp(`como root: chown -R ${user}:\\d+ ${folder}$`));
      await chmod(place, 0o700);
    }
    assert.equal(use(folder, 'await store.check();'), '');
  });
});
