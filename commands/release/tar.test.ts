import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packTar, type TarFile } from './tar.ts';

const seconds = 1_780_000_000;
const file = (path: string, content = path, executable = false): TarFile => ({
  path,
  content: Buffer.from(content),
  executable,
});
/** The longest path that the format allows: 155 bytes, a slash, and 100 bytes. */
const longPath = `${'folder-nine/'.repeat(12)}${'p'.repeat(11)}/${'n'.repeat(100)}`;

test('the tar of the system unpacks an archive with the right contents, modes and times', (t) => {
  const sizes = [0, 1, 511, 512, 513, 100_000];
  const files = [
    ...sizes.map((size) => file(`acolhe/of-${size}`, 'x'.repeat(size))),
    file('acolhe/bin/run', '#!/bin/sh', true),
    file('acolhe/ação.txt', 'ç'),
    file(longPath),
  ];
  const folder = unpack(t, packTar(files, seconds));
  for (const { path, content, executable } of files) {
    assert.deepEqual(readFileSync(join(folder, path)), content, path);
    const { mode, mtimeMs } = statSync(join(folder, path));
    assert.equal(mode & 0o777, executable ? 0o755 : 0o644, path);
    assert.equal(mtimeMs, seconds * 1_000, path);
  }
  assert.equal(statSync(join(folder, 'acolhe/bin')).mode & 0o777, 0o755);
});

test('the order of the files does not change the archive, and everything belongs to root', (t) => {
  const files = ['a/b', 'a-b', 'a/c', 'B', 'a/b.txt'].map((path) => file(path));
  const packed = packTar(files, seconds);
  assert.deepEqual(packTar(files.toReversed(), seconds), packed);
  const archive = join(temporaryFolder(t), 'archive.tar.gz');
  writeFileSync(archive, packed);
  const lines = execFileSync('tar', ['--numeric-owner', '-tvzf', archive], { encoding: 'utf8' })
    .trim()
    .split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(' ').at(-1)),
    ['B', 'a-b', 'a/', 'a/b', 'a/b.txt', 'a/c'],
  );
  for (const line of lines) assert.match(line, /^[d-]rw.r-.r-.\s+(?:\d\s+)?0[ /]+0 /);
});

test('a path that the format cannot store is refused', () => {
  for (const path of ['n'.repeat(101), `${'p'.repeat(156)}/n`, `p/${'n'.repeat(101)}`])
    assert.throws(() => packTar([file(path)], seconds), /too long/);
});

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-tar-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function unpack(t: TestContext, packed: Buffer): string {
  const folder = temporaryFolder(t);
  execFileSync('tar', ['-xpzf', '-', '-C', folder], { input: packed });
  return folder;
}
