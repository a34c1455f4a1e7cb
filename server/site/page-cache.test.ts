import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageCache } from './page-cache.ts';

/** Creates a cache. Returns a function that reads a page from it, and the list of rendered keys, in order. */
function startCache() {
  const pages = createPageCache();
  const rendered: string[] = [];
  const read = (key: string, versions = '1', characters = 10) =>
    pages.read(key, versions, async () => {
      rendered.push(key);
      return { html: 'x'.repeat(characters) };
    });
  return { read, rendered };
}

const large = 12_000_000;

test('concurrent and later reads of a version share one rendering, and another version is rendered again', async () => {
  const { read, rendered } = startCache();
  await Promise.all([read('a'), read('a')]);
  await read('a');
  await read('a', '2');
  await read('a', '1');
  assert.deepEqual(rendered, ['a', 'a', 'a']);
});

test('the least recently requested pages make room for others', async () => {
  const { read, rendered } = startCache();
  await read('a', '1', large);
  await read('b', '1', large);
  await read('a');
  await read('c', '1', large);
  await read('a');
  await read('b', '1', large);
  assert.deepEqual(rendered, ['a', 'b', 'c', 'b']);
});

test('a page of any size stays until another one needs its room', async () => {
  const { read, rendered } = startCache();
  await read('all', '1', 4 * large);
  await read('all');
  await read('small');
  await read('all', '1', 4 * large);
  assert.deepEqual(rendered, ['all', 'small', 'all']);
});

test('a new version of a large page takes the room of the old one', async () => {
  const { read, rendered } = startCache();
  await read('kept', '1', large);
  for (const version of ['1', '2', '3', '4']) await read('changing', version, large);
  await read('kept');
  assert.deepEqual(rendered, ['kept', 'changing', 'changing', 'changing', 'changing']);
});

test('a page whose rendering failed is rendered again', async () => {
  const pages = createPageCache();
  await assert.rejects(
    pages.read('a', '1', () => Promise.reject(new Error('away'))),
    /away/,
  );
  const document = await pages.read('a', '1', async () => ({ html: 'x' }));
  assert.equal((await document.identity()).toString(), 'x');
});
