import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectNone } from './expect-none.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/security-tests.md');

test('docs/security-tests.md numbers its promises, and each has a test', () => {
  const promises = page.split(/^(?=\d+\. )/m).slice(1);
  assert.ok(promises.length >= 32, `${promises.length} promises`);
  for (const [index, promise] of promises.entries()) {
    assert.ok(promise.startsWith(`${index + 1}. `), promise.slice(0, 60));
    assert.match(promise, /^ +- `/m, promise.slice(0, 60));
  }
});

test('every test that docs/security-tests.md names exists', () => {
  const named = [...page.matchAll(/^ +- `([^`]+)`: (.+)$/gm)];
  assert.ok(named.length >= 60, `${named.length} tests`);
  const missing = named.filter(([, file = '', name = '']) => !hasTest(file, name));
  expectNone(
    missing.map(([line]) => line.trim()),
    'Name tests that exist in docs/security-tests.md, instead of:',
  );
});

/** True if the name of an `it` or `test` in the file contains this text. */
function hasTest(file: string, name: string): boolean {
  if (!existsSync(join(root, file))) return false;
  const names = [...read(file).matchAll(/\b(?:it|test)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)];
  return names.some(([, , found = '']) => found.includes(name));
}
