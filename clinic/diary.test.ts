import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { checkSection } from '#contract/site/checks.ts';
import { sampleDiary } from '#contract/site/diary.ts';

const manyWords = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ word: `Palavra ${place}`, heavy: false }));
const problemsOf = (change: Partial<typeof sampleDiary>) => {
  const { mistakes, problems } = checkSection('diary', { ...sampleDiary, ...change });
  return [mistakes, problems].map((found) => found.map(({ path }) => path));
};

test('the words of the diary are 4 to 24, each only once whatever its accents and its case', () => {
  const twice = [...manyWords(4), { word: 'Aflição', heavy: true }, { word: ' aflicao ', heavy: false }];
  assert.deepEqual(problemsOf({ words: manyWords(4) }), [[], []]);
  assert.deepEqual(problemsOf({ words: manyWords(24) }), [[], []]);
  assert.deepEqual(problemsOf({ words: manyWords(3) }), [[], ['words']]);
  assert.deepEqual(problemsOf({ words: manyWords(25) }), [['words'], []]);
  assert.deepEqual(problemsOf({ words: twice }), [[], ['words']]);
  const long = { word: 'a'.repeat(limits.diaryWordMaxLength + 1), heavy: false };
  assert.deepEqual(problemsOf({ words: [...manyWords(4), long] }), [['words.4.word'], []]);
});

test('the phrases are 0 to 60, and the questions three', () => {
  assert.deepEqual(problemsOf({ crisisPhrases: [] }), [[], []]);
  assert.deepEqual(problemsOf({ crisisPhrases: Array(61).fill('uma frase') }), [['crisisPhrases'], []]);
  assert.deepEqual(problemsOf({ questions: ['Uma?', '', 'Três?'] }), [[], ['questions.1']]);
  assert.deepEqual(problemsOf({ questions: ['Uma?', 'Duas?', 'Três?', 'Quatro?'] }), [['questions'], []]);
});

test('the sample has heavy words, and no phrase twice', () => {
  assert.ok(sampleDiary.words.filter(({ heavy }) => heavy).length >= 3);
  assert.equal(new Set(sampleDiary.crisisPhrases).size, sampleDiary.crisisPhrases.length);
});
