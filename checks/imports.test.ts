import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { expectNone } from './expect-none.ts';
import { findBreaches, findCycles, projectFolders, type SourceTree } from './imports.ts';

const root = join(import.meta.dirname, '..');

test('the project follows its import rules', () => {
  const tree = readProject();
  assert.ok(tree.has('contract/limits.ts') && tree.size > 20, 'the tree was read');
  expectNone(findBreaches(tree), 'Move the code, or allow the import in checks/imports.ts:');
});

test('no file imports itself through other files', () => {
  expectNone(findCycles(readProject()), 'Move what both files need into a third file:');
});

test('an import cycle is found, also between types', () => {
  const tree = new Map([
    ['server/http/a.ts', `import { b } from './b.ts';`],
    ['server/http/b.ts', `export type { C } from '../auth/c.ts';`],
    ['server/auth/c.ts', `import type { A } from '#server/http/a.ts';`],
    ['server/auth/d.ts', `import './c.ts';`],
  ]);
  assert.deepEqual(findCycles(tree), [['server/auth/c.ts', 'server/http/a.ts', 'server/http/b.ts']]);
});

const breaches: [rule: string, path: string, source: string][] = [
  ['contract imports nothing but zod', 'contract/a.ts', `import { join } from 'node:path';`],
  ['contract does not import the server', 'contract/a.ts', `import '#server/http/errors.ts';`],
  ['client does not import web', 'client/a.ts', `export * from '#web/app/routes/routes.tsx';`],
  ['client imports no package', 'client/a.ts', `import { useState } from 'react';`],
  ['clinic imports only the contract', 'clinic/a.ts', `import { createClient } from '#client/client.ts';`],
  [
    'web does not import the server',
    'web/app/a.ts',
    `const load = () => loadChunk('a', () => import('#server/http/errors.ts'));`,
  ],
  ['server does not import web', 'server/start.ts', `import type { X } from '#web/app/routes/routes.tsx';`],
  ['server does not import the client', 'server/users/a.ts', `import '#client/client.ts';`],
  ['web does not read the clinic', 'web/app/a.ts', `import '#clinic/identity.ts';`],
  [
    'features other than the site do not read the clinic',
    'server/mail/a.ts',
    `import '#clinic/identity.ts';`,
  ],
  ['a page does not import another page', 'web/pages/public/about.tsx', `import './home.tsx';`],
  [
    'a page does not import the style of another page',
    'web/pages/public/about/figure.tsx',
    `import styles from '../home.module.css'; export { styles };`,
  ],
  ['a component does not import a page', 'web/components/button.tsx', `import '../pages/public/home.tsx';`],
  [
    'an area does not import the components of another',
    'web/pages/admin/users.tsx',
    `import '#web/pages/public/components/crisis.tsx';`,
  ],
  [
    'a feature imports only the public files of another feature',
    'server/auth/a.ts',
    `import { list } from '../library/activities.ts';`,
  ],
  [
    "only the account feature imports another feature's personal data",
    'server/users/a.ts',
    `import '../newsletter/personal-data.ts';`,
  ],
  ['a feature does not import the app', 'server/auth/a.ts', `import { buildApp } from '../app.ts';`],
  ['the database imports no feature', 'server/database/a.ts', `import '../users/users.ts';`],
  ['the product does not import what tests use', 'server/app.ts', `import './testing/peers/postgres.ts';`],
  ['another folder is named by its alias', 'web/app/a.ts', `import '../../contract/axes.ts';`],
  ['an import names a file', 'web/app/a.ts', `import '#contract/gone.ts';`],
  ['the environment has one reader', 'server/app.ts', `export const port = process.env.PORT;`],
  [
    'the environment has one reader, also by destructuring',
    'server/app.ts',
    `const { env } = process; export { env };`,
  ],
  [
    'the environment has one reader, also by import',
    'web/app/a.ts',
    `import { env } from 'node:process'; export { env };`,
  ],
  ['only loadChunk loads chunks', 'web/app/a.ts', `export const load = () => import('./routes/routes.tsx');`],
  ['no folder named utils', 'web/utils/date.ts', ''],
  ['no barrels', 'web/components/index.ts', ''],
];

for (const [rule, path, source] of breaches)
  test(`a breach is found: ${rule}`, () => {
    const found = findBreaches(smallTree([path, source]));
    assert.equal(found.length, 1, found.join('\n'));
    assert.ok(
      found.every((sentence) => sentence.startsWith(`${path}: `)),
      found.join(),
    );
  });

const allowed: [path: string, source: string][] = [
  ['contract/a.ts', `import * as z from 'zod/mini'; import { axes } from './axes.ts';`],
  ['client/a.test.ts', `import { test } from 'node:test'; import '#contract/axes.ts';`],
  [
    'web/pages/public/about/figure.tsx',
    `import '../about.tsx'; import '#web/components/button.tsx'; import '../components/crisis.tsx';`,
  ],
  ['web/app/routes/routes.tsx', `page('/', 'a', () => import('../../pages/public/home.tsx'));`],
  [
    'server/library/a.ts',
    `import '../auth/guards.ts'; import '#server/database/connect.ts'; import '../http/errors.ts'; import '../users/users.ts';`,
  ],
  ['server/library/a.test.ts', `import '#server/testing/peers/postgres.ts'; import '#client/client.ts';`],
  ['server/environment.ts', `export const port = process.env.PORT;`],
];

for (const [path, source] of allowed)
  test(`no breach: ${path} with ${source}`, () => {
    assert.deepEqual(findBreaches(smallTree([path, source])), []);
  });

/** A source tree with `file`, in which all other files are empty. */
function smallTree(file: [path: string, source: string]): SourceTree {
  const others = [
    ...['contract/axes.ts', 'client/client.ts', 'clinic/identity.ts', 'web/app/routes/routes.tsx'],
    ...['web/components/button.tsx', 'web/pages/public/components/crisis.tsx'],
    ...['web/pages/public/home.tsx', 'web/pages/public/home.module.css', 'web/pages/public/about.tsx'],
    ...['server/app.ts', 'server/http/errors.ts', 'server/auth/guards.ts', 'server/library/activities.ts'],
    ...['server/database/connect.ts', 'server/users/users.ts', 'server/testing/peers/postgres.ts'],
  ];
  return new Map([...others.map((path): [string, string] => [path, '']), file]);
}

function readProject(): SourceTree {
  const files = globSync(['*.ts', `{${projectFolders.join()}}/**/*`], { cwd: root, withFileTypes: true });
  return new Map(
    files
      .filter((file) => file.isFile())
      .map((file): [string, string] => {
        const path = join(file.parentPath, file.name);
        const source = /\.tsx?$/.test(path) ? readFileSync(path, 'utf8') : '';
        return [relative(root, path).replaceAll(sep, '/'), source];
      }),
  );
}
