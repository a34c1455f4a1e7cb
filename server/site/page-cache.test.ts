import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../testing/until.ts';
import { createPackedDocument } from './document.ts';
import { createPageCache } from './rendered-pages.ts';

/** Creates a cache. Returns a function that reads a page from it, and the list of rendered keys, in order. */
function startCache(mostPages = 100) {
  const pages = createPageCache({ mostPages, mostBytes: 32_000_000 });
  const rendered: string[] = [];
  const read = (key: string, versions = '1', bytes = 10, until?: number) =>
    pages.read(key, {
      versions,
      until,
      make: async () => {
        rendered.push(key);
        return { ...(await createPackedDocument('x', 'text/html')), bytes };
      },
    });
  return { pages, read, rendered };
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

test('the least recently requested pages make space for others', async () => {
  const { read, rendered } = startCache();
  await read('a', '1', large);
  await read('b', '1', large);
  await read('a');
  await read('c', '1', large);
  await read('a');
  await read('b', '1', large);
  assert.deepEqual(rendered, ['a', 'b', 'c', 'b']);
});

test('however small the pages are, only a number of them stays', async () => {
  const { read, rendered } = startCache(3);
  for (const key of 'abcabcdabca') await read(key);
  assert.equal(rendered.join(''), 'abcdabc');
});

test('a page is forgotten when its link ends', async () => {
  const { pages, read, rendered } = startCache();
  await read('a', '1', 10, Date.now() + 30);
  assert.ok(pages.find('a', '1'));
  await until(async () => pages.find('a', '1') === undefined);
  await read('a', '1', 10, Date.now() + 60_000);
  assert.deepEqual(rendered, ['a', 'a']);
});

test('a page of any size stays until another one needs its space', async () => {
  const { read, rendered } = startCache();
  await read('all', '1', 4 * large);
  await read('all');
  await read('small');
  await read('all', '1', 4 * large);
  assert.deepEqual(rendered, ['all', 'small', 'all']);
});

test('a new version of a large page takes the space of the old one', async () => {
  const { read, rendered } = startCache();
  await read('kept', '1', large);
  for (const version of ['1', '2', '3', '4']) await read('changing', version, large);
  await read('kept');
  assert.deepEqual(rendered, ['kept', 'changing', 'changing', 'changing', 'changing']);
});

test('a page whose rendering failed is rendered again', async () => {
  const { pages, read, rendered } = startCache();
  await assert.rejects(
    pages.read('a', { versions: '1', make: () => Promise.reject(new Error('away')) }),
    /away/,
  );
  assert.equal((await (await read('a')).identity()).toString(), 'x');
  assert.deepEqual(rendered, ['a']);
});
