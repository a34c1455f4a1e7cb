import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleDiary } from '../site/diary.ts';
import { matchesCrisis, needsCrisisPanel } from './crisis.ts';

const { words, crisisPhrases: phrases } = sampleDiary;

const found = [
  'Quero morrer.',
  'às vezes QUERO MORRER',
  'Quero… morrer',
  'quero\nmorrer',
  'quero\u00a0morrer',
  'Não quero mais viver',
  'nao quero mais viver',
  'Não quero mais viver'.normalize('NFD'),
  'Pensei em me matar, e chorei.',
  'Pensei em matar-me.',
  'Pensei em matar\u2011me.',
  'Pensei em suicídio',
  '“me machucar”',
  'me\u200b matar',
  'Tenho vontade de sumir do mundo!',
  'Às vezes dá vontade de acabar com tudo…',
];
for (const text of found)
  it(`finds a phrase of the sample in ${JSON.stringify(text)}`, () =>
    assert.ok(matchesCrisis(text, phrases)));

const notFound = [
  '',
  '…',
  'Deu vontade de matar aula.',
  'Quero morar perto do mar.',
  'O filme é de morrer de rir.',
  'Quero viver mais.',
  'Ela me matará a saudade',
  'Consegui me cortarem o cabelo',
  'Quero. Depois de tudo, morrer não é assunto.',
  'Vou sumir com a louça',
];
for (const text of notFound)
  it(`finds nothing in ${JSON.stringify(text)}`, () => assert.equal(matchesCrisis(text, phrases), false));

it('takes a phrase of the clinic as it is written, and finds nothing without phrases', () => {
  assert.ok(matchesCrisis('pra mim ja deu', ['  Já DEU! ']));
  assert.equal(matchesCrisis('qualquer texto', ['', '…']), false);
  assert.equal(matchesCrisis('quero morrer', []), false);
  assert.ok(matchesCrisis('C++ (a.*b)', ['a.*b']));
});

describe('after an entry, the page', () => {
  const plain = { day: '2026-03-01', words: ['Alegria'], intensity: null, note: '', toward: null };
  const heavy = { ...plain, words: ['Medo', 'vazio'] };
  const needs = (entry: Parameters<typeof needsCrisisPanel>[0]['entry'], days: string[] = []) =>
    needsCrisisPanel({ entry, earlier: days.map((day) => ({ ...heavy, day })), words, phrases });

  it('shows the help for a heavy word at the highest intensity only', () => {
    assert.ok(needs({ ...heavy, intensity: 5 }));
    assert.equal(needs({ ...heavy, intensity: 4 }), false);
    assert.equal(needs(heavy), false);
    assert.equal(needs({ ...plain, words: ['Medo'], intensity: 5 }), false);
  });

  it('shows the help for heavy words on this day and the two before, also over the end of a month', () => {
    assert.ok(needs(heavy, ['2026-02-27', '2026-02-28']));
    assert.ok(needs(heavy, ['2026-03-01', '2026-02-28', '2026-02-27', '2026-01-01']));
    assert.equal(needs(heavy, ['2026-02-28', '2026-02-26']), false);
    assert.equal(needs(heavy, ['2026-02-28', '2026-02-28']), false);
    assert.equal(needs(heavy, ['2026-03-02', '2026-03-03']), false);
    assert.equal(needs(plain, ['2026-02-27', '2026-02-28']), false);
  });

  it('shows the help for a phrase in the note or in the step', () => {
    assert.ok(needs({ ...plain, note: 'Hoje quero morrer' }));
    assert.ok(needs({ ...plain, toward: { axis: 'family', words: 'deixar uma carta e me matar' } }));
    assert.equal(needs({ ...plain, note: 'Hoje quero morar na praia' }), false);
  });

  it('shows the help for a phrase among the patient’s own words, but not for a word of the clinic', () => {
    assert.ok(needs({ ...plain, words: ['Alegria', 'quero morrer'] }));
    const entry = { ...plain, words: ['Vontade de sumir'] };
    assert.equal(needsCrisisPanel({ entry, earlier: [], words, phrases: ['vontade de sumir'] }), false);
  });
});
