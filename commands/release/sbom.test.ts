import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Lockfile, makeSbom } from './sbom.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const lock: Lockfile = read('package-lock.json');
const sbom = makeSbom(lock, 1_780_000_000);
const refs = sbom.components.map((component) => component['bom-ref']);

test('the SBOM has every production dependency with its licence and hash, and no development dependency', () => {
  const { dependencies, optionalDependencies, devDependencies } = read('package.json');
  const names = new Set(
    sbom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    assert.ok(names.has(name), name);
  // Some packages in `@types` are in the SBOM, because production dependencies need them as peer
  // dependencies.
  for (const name of Object.keys(devDependencies).filter((one) => !one.startsWith('@types/')))
    assert.ok(!names.has(name), name);
  for (const { purl, licenses, hashes } of sbom.components) {
    assert.match(String(purl), /^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
    assert.ok(Array.isArray(licenses) && licenses.length === 1, String(purl));
    assert.match(JSON.stringify(hashes), /^\[{"alg":"SHA-512","content":"[0-9a-f]{128}"}\]$/, String(purl));
  }
});

test('the graph of the SBOM leads from the program to every listed package, and to no other', () => {
  const graph = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set<string>();
  const visit = (ref: string) => {
    if (reached.has(ref)) return;
    reached.add(ref);
    const next = graph.get(ref);
    assert.ok(next, ref);
    next.forEach(visit);
  };
  visit(sbom.metadata.component['bom-ref']);
  reached.delete(sbom.metadata.component['bom-ref']);
  assert.deepEqual([...reached].sort(), refs.toSorted());
  assert.equal(new Set(refs).size, refs.length);
});

test('a package with two versions is found where Node finds it, and two licences become an expression', () => {
  const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;
  const { components, dependencies, serialNumber } = makeSbom(
    {
      name: 'program',
      version: '1.0.0',
      packages: {
        '': { license: 'MIT', dependencies: { '@scope/a': '1', b: '1' } },
        'node_modules/@scope/a': { version: '1.0.0', integrity, dependencies: { b: '2', gone: '1' } },
        'node_modules/@scope/a/node_modules/b': { version: '2.0.0', license: 'MIT AND ISC', optional: true },
        'node_modules/b': {
          version: '1.0.0',
          license: 'ISC',
          peerDependencies: { '@scope/a': '1', tool: '1' },
        },
        'node_modules/tool': { version: '1.0.0', dev: true },
      },
    },
    0,
  );
  assert.deepEqual(dependencies, [
    { ref: 'pkg:npm/%40scope/a@1.0.0', dependsOn: ['pkg:npm/b@2.0.0'] },
    { ref: 'pkg:npm/b@1.0.0', dependsOn: ['pkg:npm/%40scope/a@1.0.0'] },
    { ref: 'pkg:npm/b@2.0.0', dependsOn: [] },
    { ref: 'program@1.0.0', dependsOn: ['pkg:npm/%40scope/a@1.0.0', 'pkg:npm/b@1.0.0'] },
  ]);
  assert.deepEqual(components[0]?.hashes, [{ alg: 'SHA-512', content: '01'.repeat(64) }]);
  assert.deepEqual(
    components.map(({ scope, licenses }) => [scope, licenses]),
    [
      ['required', undefined],
      ['required', [{ license: { id: 'ISC' } }]],
      ['optional', [{ expression: 'MIT AND ISC' }]],
    ],
  );
  assert.match(
    serialNumber,
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
