import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareTexts, mergeTexts } from './merge-text.ts';

test('changes at different places are both in the merged text', () => {
  const base = 'Um.\n\nDois.\n\nTrês.';
  const mine = 'Um, devagar.\n\nDois.\n\nTrês.';
  const saved = 'Um.\n\nDois.\n\nTrês.\n\nQuatro.';
  assert.equal(mergeTexts({ base, mine, saved }), 'Um, devagar.\n\nDois.\n\nTrês.\n\nQuatro.');
});

test('where both changed the same lines both stay, the saved ones first', () => {
  assert.equal(mergeTexts({ base: 'a\nb\nc', mine: 'a\nMEU\nc', saved: 'a\nDELA\nc' }), 'a\nDELA\nMEU\nc');
});

test('what one removed and nobody else touched is gone; what both wrote is there once', () => {
  assert.equal(mergeTexts({ base: 'a\nb\nc', mine: 'a\nc', saved: 'a\nb\nc' }), 'a\nc');
  assert.equal(mergeTexts({ base: 'a', mine: 'a\nz', saved: 'a\nz' }), 'a\nz');
});

test('whatever the texts: a side alone wins, and every new line of both sides is in the merged text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 8 })
    .map((l) => l.join('\n'));
  fc.assert(
    fc.property(text, text, text, (base, mine, saved) => {
      assert.equal(mergeTexts({ base, mine, saved: base }), mine);
      assert.equal(mergeTexts({ base, mine: base, saved }), saved);
      const merged = mergeTexts({ base, mine: `${mine}\nsó meu`, saved: `só dela\n${saved}` }).split('\n');
      assert.ok(merged.includes('só meu') && merged.includes('só dela'));
    }),
  );
});

test('lines that only one of two texts has are told apart', () => {
  const [mine, saved] = compareTexts('a\nb', 'a\nc');
  assert.deepEqual(mine, [
    { text: 'a', shared: true },
    { text: 'b', shared: false },
  ]);
  assert.deepEqual(saved, [
    { text: 'a', shared: true },
    { text: 'c', shared: false },
  ]);
});
