import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';

const nodeVersion = process.versions.node;

test('a new clone is installed from the lockfile without scripts and built, in a folder with spaces', async (t) => {
  const clone = createClone(t);
  const { code, output } = await setUp(clone, 'start');
  assert.equal(code, 0, output);
  assert.match(output, /Instalando as dependências.*Montando o site/s);
  assert.match(clone.calls(), /^ci --ignore-scripts --include=dev --include=optional /);
  assert.equal(clone.builds(), 1);
});

test('the second start repeats no work and is quick', async (t) => {
  const clone = createClone(t);
  await setUp(clone, 'start');
  const startedAt = performance.now();
  const { code, output } = await setUp(clone, 'start');
  assert.deepEqual([code, output, clone.builds()], [0, '', 1]);
  assert.equal(clone.calls().split('\n').length, 1);
  // The start of the Node process that `setUp` runs takes about 100 ms of this.
  assert.ok(performance.now() - startedAt < 1_000);
});

test('a changed lockfile triggers an installation, a changed source a build', async (t) => {
  const clone = createClone(t);
  await setUp(clone, 'start');
  clone.lock.packages['node_modules/kysely'] = { version: '9.9.9' };
  clone.writeLock();
  await setUp(clone, 'start');
  assert.equal(clone.calls().split('\n').length, 2);
  assert.equal(clone.builds(), 2, 'the lockfile is a source of the build');

  writeFileSync(join(clone.folder, 'web', 'new page.tsx'), '');
  await setUp(clone, 'start');
  writeFileSync(join(clone.folder, 'web', 'page.test.ts'), '');
  await setUp(clone, 'start');
  assert.equal(clone.builds(), 3, 'a test is no source of the build');
  assert.equal(clone.calls().split('\n').length, 2);
});

test('dev and admin install the packages, but do not build', async (t) => {
  const clone = createClone(t);
  for (const task of ['dev', 'admin']) assert.equal((await setUp(clone, task)).code, 0);
  assert.equal(clone.builds(), 0);
  assert.equal(clone.calls().split('\n').length, 1);
});

test('production installs and builds nothing, and says which command does', async (t) => {
  const clone = createClone(t);
  const production = { NODE_ENV: 'production' };
  const missing = await setUp(clone, 'start', production);
  assert.equal(missing.code, 1);
  assert.match(
    missing.output,
    /^\nAs dependências não .+\n.*npm run set-up\. Depois digite de novo: npm start\n/,
  );

  assert.equal((await setUp(clone, 'set-up', production)).code, 0);
  const before = clone.files();
  for (const task of ['start', 'admin', 'site', 'backup', 'restore', 'import', 'move'])
    assert.deepEqual(await setUp(clone, task, production), { code: 0, output: '' }, task);

  writeFileSync(join(clone.folder, 'web', 'page.tsx'), 'changed');
  const stale = await setUp(clone, 'backup', production);
  assert.equal(stale.code, 1);
  assert.match(stale.output, /^\nO site não está montado.+\n.*npm run set-up\. .+ npm run backup\n/);
  writeFileSync(join(clone.folder, 'web', 'page.tsx'), '');

  clone.lock.packages['node_modules/kysely'] = { version: '9.9.9' };
  clone.writeLock();
  assert.match((await setUp(clone, 'start', production)).output, /As dependências não estão instaladas/);
  clone.lock.packages['node_modules/kysely'] = { version: '1.0.0' };
  clone.writeLock();
  assert.deepEqual(clone.files(), before, 'no file was written');
});

test('set-up of a release installs the production dependencies only, and builds nothing', async (t) => {
  const clone = createClone(t);
  await setUp(clone, 'start');
  rmSync(join(clone.folder, 'node_modules'), { recursive: true });
  clone.write('release.json', '{}');
  const { code, output } = await setUp(clone, 'set-up');
  assert.equal(code, 0, output);
  assert.match(clone.calls().split('\n')[1] ?? '', /^ci --ignore-scripts --omit=dev --include=optional /);
  assert.equal(clone.builds(), 1);
  assert.deepEqual(await setUp(clone, 'start'), { code: 0, output: '' });

  const refused = await setUp(clone, 'test');
  assert.equal(refused.code, 1);
  assert.match(refused.output, /para desenvolver, clone o repositório/);
});

test('set-up of a clone for production needs the development dependencies only to build', async (t) => {
  const clone = createClone(t);
  const { code, output } = await setUp(clone, 'set-up');
  assert.equal(code, 0, output);
  assert.match(clone.calls(), /^ci .*--include=dev .*\nci .*--omit=dev /);
  assert.equal(clone.builds(), 1);
  assert.ok(!existsSync(join(clone.folder, 'node_modules', 'vite')));
  const again = await setUp(clone, 'set-up');
  assert.deepEqual([again.code, clone.builds(), clone.calls().split('\n').length], [0, 1, 2]);
});

test('a failed installation says what to do, and the next start retries it', async (t) => {
  const clone = createClone(t);
  const { code, output } = await setUp(clone, 'demo', { NPM_FAILS: '1' });
  assert.equal(code, 1);
  assert.match(output, /Confira a internet e o espaço em disco\. Depois digite de novo: npm run demo\s*$/);
  assert.equal((await setUp(clone, 'demo')).code, 0);
});

test('a failed build says what to do, and the next start retries it', async (t) => {
  const clone = createClone(t);
  const { code, output } = await setUp(clone, 'start', { BUILD_FAILS: '1' });
  assert.equal(code, 1);
  assert.match(output, /O site não pôde ser montado.*\n.*npm start\s*$/);
  assert.equal((await setUp(clone, 'start')).code, 0);
  assert.equal(clone.builds(), 2);
});

test('a Node that cannot run here is named, with the version to install', async (t) => {
  const clone = createClone(t, { nodeVersion: '99.0.0', nodeRuns: false });
  const { code, output } = await setUp(clone, 'start');
  assert.equal(code, 1);
  assert.match(output, /O Node 99\.0\.0, que vem com as dependências, não funciona neste computador/);
  assert.match(output, /Instale o Node 99\.0\.0 ou mais novo/);
});

test('a library that the Node of the lockfile needs is named, with the package of Debian', async (t) => {
  const clone = createClone(t, { nodeVersion: '99.0.0', nodeRuns: false });
  await setUp(clone, 'start');
  const line = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file';
  clone.write('node_modules/.bin/node', `#!/bin/sh\necho '${line}' >&2\nexit 127\n`);
  chmodSync(join(clone.folder, 'node_modules/.bin/node'), 0o755);
  const { code, output } = await setUp(clone, 'start');
  assert.equal(code, 1);
  assert.match(
    output,
    /precisa da biblioteca libatomic\.so\.1.+\nNo Debian: sudo apt-get install libatomic1\./,
  );
});

type Clone = {
  folder: string;
  lock: { packages: Record<string, object> };
  writeLock(): void;
  write(path: string, text: string): void;
  /** All files with the time of their last change, except the sources and the lockfile. */
  files(): string[];
  /** The arguments of each npm call, one call per line. */
  calls(): string;
  builds(): number;
};

/** A folder with set-up.mjs, a small lockfile, and stubs of npm and the build that record their calls. */
function createClone(t: TestContext, node = { nodeVersion, nodeRuns: true }): Clone {
  const parent = mkdtempSync(join(tmpdir(), 'acolhe set-up '));
  t.after(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'a clone');
  const lock = {
    packages: {
      '': {},
      'node_modules/kysely': { version: '1.0.0' },
      'node_modules/vite': { version: '1.0.0', dev: true },
      'node_modules/elsewhere': { version: '1.0.0', optional: true },
      'node_modules/node-here': { version: node.nodeVersion, optional: true, bin: { node: 'bin/node' } },
    } as Record<string, object>,
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const read = (path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8').trim() : '';
  const writeLock = () => write('package-lock.json', JSON.stringify(lock));

  mkdirSync(join(folder, 'commands'), { recursive: true });
  mkdirSync(join(folder, 'build'));
  for (const file of ['commands/set-up.mjs', 'build/sources.mjs'])
    copyFileSync(join(import.meta.dirname, '..', file), join(folder, file));
  write('web/page.tsx', '');
  write('build/build.ts', buildNotes);
  write('npm/npm-cli.js', npmNotes(node.nodeRuns));
  writeLock();
  return {
    folder,
    lock,
    writeLock,
    write,
    files: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => !/^(?:web|package-lock\.json$)/.test(path))
        .map((path) => `${path} ${lstatSync(join(folder, path)).mtimeMs}`),
    calls: () => read('npm-calls'),
    builds: () => (read('builds') === '' ? 0 : read('builds').split('\n').length),
  };
}

const buildNotes = `
  import { appendFileSync, mkdirSync } from 'node:fs';
  import { hashSources, noteBuilt } from './sources.mjs';
  appendFileSync('builds', 'built\\n');
  if (process.env.BUILD_FAILS) process.exit(1);
  mkdirSync('dist', { recursive: true });
  noteBuilt(process.cwd(), hashSources(process.cwd()));
`;

const npmNotes = (nodeRuns: boolean) => `
  const { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
  appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
  if (process.env.NPM_FAILS) process.exit(1);
  rmSync('node_modules', { recursive: true, force: true });
  mkdirSync('node_modules/.bin', { recursive: true });
  if (${nodeRuns}) symlinkSync(process.execPath, 'node_modules/.bin/node');
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  delete packages[''];
  delete packages['node_modules/elsewhere'];
  if (process.argv.includes('--omit=dev')) delete packages['node_modules/vite'];
  else mkdirSync('node_modules/vite');
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
`;

function setUp(
  { folder }: Clone,
  task: string,
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(folder, 'commands', 'set-up.mjs'), task],
      // npm calls the script by its path, in the project's folder.
      {
        cwd: folder,
        env: { PATH: process.env.PATH, npm_execpath: join(folder, 'npm', 'npm-cli.js'), ...env },
      },
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : 0;
        resolve({ code, output: stdout + stderr });
      },
    );
  });
}
