import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { storageErrorCodes } from '#contract/storage.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const papers = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];

test('every link of a paper leads to a file of the project', () => {
  for (const paper of papers)
    for (const [, target = ''] of read(paper).matchAll(/\]\(([^)#]+)/g))
      if (!/^https?:/.test(target))
        assert.ok(existsSync(join(root, dirname(paper), target)), `${paper}: ${target}`);
});

test('every command of a paper exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const paper of papers)
    for (const [, name = ''] of read(paper).matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w-]+)/g))
      assert.ok(name in scripts, `${paper}: npm run ${name}`);
});

test('every file and folder of the tree in docs/architecture.md exists', () => {
  const [, tree = ''] = /```\n(.*?)```/s.exec(read('docs/architecture.md')) ?? [];
  let folder = '';
  for (const line of tree.split('\n')) {
    const name = /^\s*(\S+)/.exec(line)?.[1] ?? '';
    if (!line.startsWith(' ')) folder = name;
    assert.ok(existsSync(join(root, line.startsWith(' ') ? folder : '', name)), line);
  }
});

test('docs/storage-errors.md has one line for every code', () => {
  const lines = [...read('docs/storage-errors.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code);
  assert.deepEqual(lines.toSorted(), storageErrorCodes.toSorted());
});

test('.env.example names every variable that the server reads', () => {
  const known = new Set(
    [...read('server/environment.ts').matchAll(/\bread\('([A-Z_]+)'\)/g)].map(([, name]) => name),
  );
  const named = new Set([...read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name));
  assert.ok(known.size > 8);
  assert.deepEqual(named, known);
});
