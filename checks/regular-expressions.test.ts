import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkSync } from 'recheck';
import { charactersOf, findPatterns, type Pattern } from './regular-expressions.ts';

const inputCharacters = 100_000;
/** Long enough for a busy machine. */
const analysisTimeoutMs = 60_000;
/** The time limit for one input. A linear search takes about a millisecond, a quadratic one many seconds. */
const longestSearchMs = 500;

const patterns = findPatterns();

describe('regular expressions', () => {
  it('are all found, including those that are built at run time', () => {
    assert.ok(patterns.length > 60, `${patterns.length} found`);
    assert.ok(patterns.some(({ place }) => place.startsWith('contract/storage.ts')));
  });

  it('take time in proportion to their input, by static analysis', () => {
    const slow = patterns.flatMap(({ place, source, flags }) => {
      const found = checkSync(source, flags, { timeout: analysisTimeoutMs });
      const attack = found.status === 'vulnerable' ? found.attack.pattern : '';
      return found.status === 'safe' ? [] : [`${place} /${source}/ is ${found.status} ${attack}`];
    });
    assert.deepEqual(slow, []);
  });

  it(`finish within ${longestSearchMs} ms for ${inputCharacters} repetitions of each of their characters`, () => {
    const slow = patterns.flatMap((pattern) =>
      worstInputs(pattern).flatMap((input) => {
        const { place, source, flags } = pattern;
        const started = performance.now();
        for (const _ of input.matchAll(new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)));
        const took = performance.now() - started;
        return took < longestSearchMs ? [] : [`${place} /${source}/ ${input.slice(0, 9)}: ${took} ms`];
      }),
    );
    assert.deepEqual(slow, []);
  });
});

/** Returns one input per character of the pattern: the character repeated, then NUL. */
function worstInputs(pattern: Pattern): string[] {
  return [...charactersOf(pattern)].map((character) => `${character.repeat(inputCharacters)}\0`);
}
