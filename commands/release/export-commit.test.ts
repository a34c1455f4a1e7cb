import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseSync } from 'vite';
import { exportCommit, isReleased, requireCommitted } from './export-commit.ts';

const project = join(import.meta.dirname, '..', '..');

test('a release refuses every change that is not committed, but not the folder of earlier releases', (t) => {
  const repository = createRepository(t);
  const out = join(repository.folder, 'out');
  const { id, seconds } = requireCommitted(repository.folder, out);
  assert.equal(id, repository.git('rev-parse', 'HEAD').trim());
  assert.equal(seconds, 1_780_000_000);

  repository.write('out/acolhe-1.0.0.tar.gz', '');
  repository.write('ignored/notes', '');
  assert.equal(requireCommitted(repository.folder, out).id, id);

  const refused = (named: RegExp) =>
    assert.throws(() => requireCommitted(repository.folder, out), { name: 'StartError', message: named });
  repository.write('new file', '');
  refused(/sem commit \("?new file"?\)/);
  repository.git('add', 'new file');
  refused(/new file/);
  repository.git('rm', '-fq', 'new file');
  repository.write('server/main.ts', 'changed');
  refused(/server\/main\.ts/);
});

test('exportCommit writes the files of the commit, whatever changes in the folder meanwhile', (t) => {
  const repository = createRepository(t);
  const commit = requireCommitted(repository.folder, join(repository.folder, 'out'));
  repository.write('server/main.ts', 'changed');
  repository.git('add', '.');
  const folder = temporaryFolder(t);
  const paths = exportCommit(repository.folder, commit, folder);
  assert.deepEqual(paths, ['server/ação.ts', 'server/main.ts']);
  assert.equal(readFileSync(join(folder, 'server/main.ts'), 'utf8'), 'main\n');
  assert.deepEqual(readdirSync(join(folder, 'server')), ['ação.ts', 'main.ts']);
});

test('no file of a release imports a file that is left out', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' }).split('\0');
  const released = new Set(files.filter((file) => file !== '' && isReleased(file)));
  assert.ok(released.has('server/main.ts') && released.has('commands/backup.ts'));
  for (const file of released)
    assert.doesNotMatch(file, /\.(?:test|spec)\.|(?:^|\/)testing(?:\/|\.)|^(?:e2e|bench|hard|checks)\//);
  const sources = [...released].filter((file) => /\.(?:tsx?|mjs)$/.test(file));
  const missing = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => !released.has(target))
      .map((target) => `${file}: ${target}`),
  );
  assert.deepEqual(missing, []);
});

/** Returns the files of the project that a file imports. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(project, file), 'utf8');
  const { module } = parseSync(file, text);
  return [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
    .filter((specifier) => /^(?:#|\.{1,2}\/)/.test(specifier))
    .map((specifier) => specifier.replace(/\?.*$/, ''))
    .map((specifier) =>
      specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(file), specifier),
    );
}

function createRepository(t: TestContext) {
  const folder = temporaryFolder(t);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  // Passes on no other variables, because a user's Git settings or a hook's GIT_DIR would change the result.
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: '1780000000 +0000',
    GIT_COMMITTER_DATE: '1780000000 +0000',
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
  git('init', '-q');
  write('.gitignore', 'ignored/\n');
  write('server/main.ts', 'main\n');
  write('server/ação.ts', '');
  write('server/main.test.ts', '');
  write('server/testing/server.ts', '');
  write('hard/attack.ts', '');
  git('add', '.');
  git('commit', '-qm', 'first');
  return { folder, write, git };
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-release-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
