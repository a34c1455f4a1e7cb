import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { storageErrorCodes } from '#contract/storage.ts';
import { readEnvironment } from '#server/environment.ts';
import { expectNone } from './expect-none.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const docs = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })];

test('every link of a doc leads to a file of the project', () => {
  for (const doc of docs)
    for (const [, target = ''] of read(doc).matchAll(/\]\(([^)#]+)/g))
      if (!/^https?:/.test(target))
        assert.ok(existsSync(join(root, dirname(doc), target)), `${doc}: ${target}`);
});

test('every code block of a doc begins and ends on a line of its own', () => {
  for (const doc of docs)
    for (const line of read(doc).split('\n'))
      if (line.includes('```')) assert.match(line, /^\s*```\w*$/, doc);
});

test('every row of a table in a doc is one line', () => {
  for (const doc of docs)
    for (const line of read(doc).split('\n'))
      if (/\|\s*-{3,}\s*\|/.test(line)) assert.match(line, /^\s*(?:\|\s*-+\s*)+\|$/, doc);
});

test('every npm command in a doc exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const doc of docs)
    for (const [command, name = ''] of read(doc).matchAll(
      /\bnpm (?:run (?=[a-z])|(?=(?:start|test)\b))([\w:-]+)/g,
    ))
      assert.ok(name in scripts, `${doc}: ${command}`);
});

test('every program that a doc runs with node exists', () => {
  for (const doc of docs)
    for (const [, program = ''] of read(doc).matchAll(/\bnode ([\w/-]+\.[cm]?[jt]s)\b/g))
      assert.ok(existsSync(join(root, program)), `${doc}: node ${program}`);
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
  assert.deepEqual(lines.toSorted(), storageErrorCodes.toSorted(), 'Mend docs/storage-errors.md.');
});

test('.env.example names every variable that the server reads', () => {
  const named = [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  const used = variablesOfServer();
  expectNone(
    used.filter((name) => !named.includes(name)),
    'Describe these variables in .env.example:',
  );
  expectNone(
    named.filter((name) => name !== undefined && !used.includes(name)),
    'Remove these variables from .env.example, which the server does not read:',
  );
});

/** Returns the names of the environment variables that the server reads. */
function variablesOfServer(): string[] {
  const bucket = (prefix: string) => ({
    [`${prefix}ENDPOINT`]: 'https://s3.example.com',
    [`${prefix}BUCKET`]: 'acolhe',
    [`${prefix}ACCESS_KEY_ID`]: 'id',
    [`${prefix}SECRET_ACCESS_KEY`]: 'secret',
  });
  // Sets some variables, because the server reads others only if these have a value.
  const values = { ...bucket('S3_'), ...bucket('BACKUP_S3_'), BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` };
  const names = new Set<string>();
  const recorded = new Proxy<NodeJS.ProcessEnv>(values, {
    get(target, name: string) {
      names.add(name);
      return target[name];
    },
  });
  readEnvironment(recorded);
  // Leaves out the variables that systemd sets.
  return [...names].filter((name) => !/^(?:LISTEN_|NOTIFY_)/.test(name));
}
