import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listOverrides, readPackage } from './overrides.ts';

const { dependencies, devDependencies, optionalDependencies } = readPackage('package.json');
const direct = { ...dependencies, ...devDependencies, ...optionalDependencies };

test('every direct dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries(direct)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

test('docs/dependencies.md has a line for every direct dependency, and for nothing else', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'dependencies.md'), 'utf8');
  const firstCells = page.matchAll(/^\| (`[^|]+) \|/gm);
  const listed = [...firstCells].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  assert.deepEqual(listed.toSorted(), Object.keys(direct).toSorted(), 'Mend docs/dependencies.md.');
});

test('every override is still needed: Better Auth requires another version', () => {
  for (const { name, given, wanted } of listOverrides())
    assert.ok(
      wanted !== undefined && wanted !== given,
      `Remove the override of ${name}: Better Auth ${wanted ? `requires ${wanted} itself` : 'no longer uses it'}.`,
    );
});
