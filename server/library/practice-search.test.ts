import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearchIndex } from './practice-search.ts';

const needs = [
  { id: 'sono', name: 'Dormir melhor' },
  { id: 'x1', name: 'Pânico' },
];

test('a search finds words of the title, the text and the needs by their beginnings, whatever their accents', () => {
  const index = createSearchIndex();
  index.add({
    id: 'sons',
    title: 'Três sons antes de deitar',
    text: 'Respire. “Devagar”, com o co\u0301r\u00adpo\nsolto: 4-7-8.',
    needs: ['sono'],
  });
  index.add({ id: 'outra', title: 'Chuva', text: 'Ouça.', needs: ['x1'] });
  const has = (ids: ReadonlySet<string>) => ids.has('sons');
  for (const [search, match] of [
    ['sons', 'title'],
    ['TRES SON', 'title'],
    ['dormir', 'title'],
    ['dormir sons', 'title'],
    ['corpo', 'text'],
    ['devagar corpo', 'text'],
    ['sons devagar', 'text'],
    ['solto 4', 'text'],
    // Common words do not count beside telling ones.
    ['quero uma prática para dormir', 'title'],
    ['antes de', 'title'],
    ['de', 'title'],
    // The need of another practice, a part inside a word, and a word that is missing.
    ['pânico', 'none'],
    ['ons', 'none'],
    ['sons trovão', 'none'],
    ['!?', 'none'],
    ['s', 'none'],
  ] as const) {
    const { best, all } = index.search(search, needs);
    assert.equal(has(best) ? 'title' : has(all) ? 'text' : 'none', match, search);
    assert.deepEqual(
      [...best].filter((id) => !all.has(id)),
      [],
      search,
    );
  }
});
