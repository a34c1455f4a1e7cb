import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wholeNumber } from './whole-number.ts';

it('writes numbers as Intl does for Brazil', () => {
  for (const number of [0, 7, 12, 999, 1_000, 12_345, 999_999, 1_000_000, 12_345_678])
    assert.equal(wholeNumber(number), number.toLocaleString('pt-BR'));
});
