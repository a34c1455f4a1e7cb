import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { StartError } from '../environment.ts';
import { createAuthSecret, readAuthSecret } from './secret.ts';

const module = pathToFileURL(path.join(import.meta.dirname, 'secret.ts')).href;

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-secret-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const placeOf = (dataDir: string) => ({ dataDir, authSecret: undefined, databaseUrl: undefined });
const create = (dataDir: string) => createAuthSecret(placeOf(dataDir));
const read = (dataDir: string) => readAuthSecret(placeOf(dataDir));

describe('the secret that signs cookies', () => {
  it('is made at the first start, kept for later starts, and readable only by its owner', async (t) => {
    const dataDir = path.join(await makeFolder(t), 'data');
    const secret = await create(dataDir);
    assert.match(secret, /^[\w-]{43}$/);
    for (const again of [create, read]) assert.equal(await again(dataDir), secret);
    const file = path.join(dataDir, 'auth-secret');
    assert.equal(await readFile(file, 'utf8'), secret);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(dataDir), ['auth-secret']);
  });

  it('is AUTH_SECRET when it is set, and then no file is made', async (t) => {
    const dataDir = await makeFolder(t);
    assert.equal(
      await createAuthSecret({ dataDir, authSecret: 'from the environment', databaseUrl: 'postgres://x' }),
      'from the environment',
    );
    assert.deepEqual(await readdir(dataDir), []);
  });

  it('must be set with PostgreSQL, where several instances need the same', async (t) => {
    const dataDir = await makeFolder(t);
    const environment = { dataDir, authSecret: undefined, databaseUrl: 'postgres://x' };
    await assert.rejects(createAuthSecret(environment), {
      name: 'StartError',
      message: /é preciso AUTH_SECRET: escreva pelo menos 32 caracteres/,
    });
    assert.deepEqual(await readdir(dataDir), []);
    // A site that used SQLite before already has a secret file.
    await create(dataDir);
    await assert.rejects(createAuthSecret(environment), {
      name: 'StartError',
      message: new RegExp(`escreva nele o conteúdo de ${path.join(dataDir, 'auth-secret')}`),
    });
  });

  it('leaves no partial file when the disk is full; the next start makes a complete one', async (t) => {
    const dataDir = await makeFolder(t);
    // With this limit, the kernel refuses to write any byte to a file, as if the disk were full.
    const script = `trap '' XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"`;
    const code = `import { createAuthSecret } from ${JSON.stringify(module)};
      await createAuthSecret({ dataDir: ${JSON.stringify(dataDir)} });`;
    const { status, stderr } = spawnSync('/bin/sh', ['-c', script, process.execPath, code], {
      encoding: 'utf8',
    });
    assert.notEqual(status, 0, 'the start fails');
    assert.match(stderr, /StartError: .*auth-secret/);
    assert.ok(!existsSync(path.join(dataDir, 'auth-secret')));
    assert.match(await create(dataDir), /^[\w-]{43}$/);
    assert.deepEqual(await readdir(dataDir), ['auth-secret']);
  });

  it('is the same for all concurrent first starts', async (t) => {
    const dataDir = await makeFolder(t);
    const secrets = await Promise.all(Array.from({ length: 20 }, () => create(dataDir)));
    assert.equal(new Set(secrets).size, 1);
    assert.equal(await read(dataDir), secrets[0]);
    assert.deepEqual(await readdir(dataDir), ['auth-secret']);
  });

  for (const [name, content] of [
    ['empty', ''],
    ['blank', '\n'],
    ['short', 'dezesseis-letras'],
    ['of zeros, as after a crash', '\0'.repeat(43)],
  ] as const) {
    it(`stops the start with a clear message when it is ${name}`, async (t) => {
      const dataDir = await makeFolder(t);
      const file = path.join(dataDir, 'auth-secret');
      await writeFile(file, content);
      await assert.rejects(
        create(dataDir),
        (error) =>
          error instanceof StartError && error.message.includes(file) && /new-secret/.test(error.message),
      );
      assert.equal(await readFile(file, 'utf8'), content, 'the file is kept for the operator');
    });
  }
});
