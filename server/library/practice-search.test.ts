import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSearch, searchKey } from './practice-search.ts';

const needs = [
  { id: 'sono', name: 'Dormir melhor' },
  { id: 'x1', name: 'Pânico' },
];
const practice = {
  title: searchKey('Três sons antes de deitar'),
  text: searchKey('Respire. “Devagar”, com o co\u0301rpo\nsolto: 4-7-8.'),
  needs: ['sono'],
};

test('a search finds words of the title, the text and the needs by their beginnings, whatever their accents', () => {
  for (const [search, match] of [
    ['sons', 'title'],
    ['TRES SON', 'title'],
    ['dormir', 'title'],
    ['dormir sons', 'title'],
    ['corpo', 'text'],
    ['devagar corpo', 'text'],
    ['sons devagar', 'text'],
    ['4 7', 'text'],
    // Common words do not count beside telling ones.
    ['quero uma prática para dormir', 'title'],
    ['antes de', 'title'],
    ['de', 'title'],
    // The need of another practice, a part inside a word, and a word that is missing.
    ['pânico', 'none'],
    ['ons', 'none'],
    ['sons trovão', 'none'],
    ['!?', 'none'],
  ] as const)
    assert.equal(compileSearch(search, needs)(practice), match, search);
});

test('a search among 2,000 practices takes less than 5 ms', () => {
  const text = searchKey('Note o ar que entra e o ar que sai. Não é preciso mudar nada. '.repeat(22));
  const all = Array.from({ length: 2_000 }, () => ({ title: ' pratica', text, needs: [] }));
  const timeOf = () => {
    const start = performance.now();
    const matchOf = compileSearch('ar preciso inexistente', needs);
    assert.ok(all.every((one) => matchOf(one) === 'none'));
    return performance.now() - start;
  };
  // The shortest of several runs, because other programs of this computer can interrupt one.
  const times = Array.from({ length: 20 }, timeOf);
  assert.ok(Math.min(...times) < 5, times.join(' '));
});
