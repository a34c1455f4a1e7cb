import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

type PackageFile = Record<string, Record<string, string> | undefined>;
const root = join(import.meta.dirname, '..');
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as PackageFile;
const direct = { ...dependencies, ...devDependencies, ...optionalDependencies };

test('every direct dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries(direct)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

test('docs/dependencies.md has a line for every direct dependency, and for nothing else', () => {
  const page = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8');
  const firstCells = page.matchAll(/^\| (`[^|]+) \|/gm);
  const listed = [...firstCells].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  assert.deepEqual(listed.toSorted(), Object.keys(direct).toSorted(), 'Mend docs/dependencies.md.');
});
