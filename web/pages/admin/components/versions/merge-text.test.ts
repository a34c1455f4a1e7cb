import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareTexts, mergeTexts } from './merge-text.ts';

test('the merged text has both changes if they are at different places', () => {
  const base = 'Um.\n\nDois.\n\nTrês.';
  const mine = 'Um, devagar.\n\nDois.\n\nTrês.';
  const saved = 'Um.\n\nDois.\n\nTrês.\n\nQuatro.';
  assert.deepEqual(mergeTexts({ base, mine, saved }), {
    text: 'Um, devagar.\n\nDois.\n\nTrês.\n\nQuatro.',
    clean: true,
  });
});

test('if both changed the same lines, both versions stay, the saved one first, and the merge is not clean', () => {
  assert.deepEqual(mergeTexts({ base: 'a\nb\nc', mine: 'a\nMEU\nc', saved: 'a\nDELA\nc' }), {
    text: 'a\nDELA\nMEU\nc',
    clean: false,
  });
});

test('a line that only one side removed is gone; a line that both added is there once', () => {
  assert.equal(mergeTexts({ base: 'a\nb\nc', mine: 'a\nc', saved: 'a\nb\nc' }).text, 'a\nc');
  assert.equal(mergeTexts({ base: 'a', mine: 'a\nz', saved: 'a\nz' }).text, 'a\nz');
});

test('for random texts: the only changed side wins, and the merged text has every new line of both sides', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 8 })
    .map((l) => l.join('\n'));
  fc.assert(
    fc.property(text, text, text, (base, mine, saved) => {
      assert.deepEqual(mergeTexts({ base, mine, saved: base }), { text: mine, clean: true });
      assert.deepEqual(mergeTexts({ base, mine: base, saved }), { text: saved, clean: true });
      const merged = mergeTexts({ base, mine: `${mine}\nsó meu`, saved: `só dela\n${saved}` }).text.split(
        '\n',
      );
      assert.ok(merged.includes('só meu') && merged.includes('só dela'));
    }),
  );
});

test('within lines that differ, the words that only one text has are marked', () => {
  const [mine, saved] = compareTexts('a\nnote o ar frio\nfim', 'a\nnote o ar quente e úmido\nfim');
  assert.deepEqual(mine, [
    { text: 'a\nnote o ar ', shared: true },
    { text: 'frio\n', shared: false },
    { text: 'fim', shared: true },
  ]);
  assert.deepEqual(saved, [
    { text: 'a\nnote o ar ', shared: true },
    { text: 'quente e úmido\n', shared: false },
    { text: 'fim', shared: true },
  ]);
});

test('for random texts: the joined parts equal the texts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', '\n', 'a b'), { maxLength: 12 })
    .map((l) => l.join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const whole = compareTexts(one, other).map((parts) => parts.map((part) => part.text).join(''));
      assert.deepEqual(whole, [one, other]);
      assert.ok(compareTexts(one, one)[0].every(({ shared }) => shared));
    }),
  );
});

test('texts with very many lines are compared and merged without a huge table', () => {
  const [base, mine, saved] = ['\n', 'a\n', 'b\n'].map((line) => line.repeat(20_000));
  const [inMine] = compareTexts(mine ?? '', saved ?? '');
  assert.ok(inMine.every(({ shared }) => !shared));
  const { text, clean } = mergeTexts({ base: base ?? '', mine: mine ?? '', saved: saved ?? '' });
  assert.equal(clean, false);
  assert.ok(text.includes(mine ?? '') && text.includes(saved ?? ''));
});
