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

test('a search among 2,000 practices takes less than 5 ms', () => {
  const index = createSearchIndex();
  const text = 'Note o ar que entra e o ar que sai. Não é preciso mudar nada. '.repeat(22);
  for (let number = 0; number < 2_000; number += 1)
    index.add({
      id: `p${number}`,
      title: `Hora ${number}`,
      text: `${text}palavra${number}`,
      needs: ['sono'],
    });
  const timeOf = () => {
    const start = performance.now();
    assert.equal(index.search('ar preciso 1999', needs).all.size, 1);
    return performance.now() - start;
  };
  // The shortest of several runs, because other programs of this computer can interrupt one.
  const times = Array.from({ length: 20 }, timeOf);
  assert.ok(Math.min(...times) < 5, times.join(' '));
});
