import assert from 'node:assert/strict';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { charactersOf, findPatterns, type Pattern } from './regular-expressions.ts';

const inputCharacters = 100_000;
/** The time limit for one input. A linear search takes about a millisecond, a quadratic one many seconds. */
const longestSearchMs = 500;

const patterns = findPatterns();

describe('regular expressions', () => {
  it('are all found, including those that are built at run time', () => {
    assert.ok(patterns.length > 60, `${patterns.length} found`);
    assert.ok(patterns.some(({ place }) => place.startsWith('contract/storage.ts')));
  });

  it('take time in proportion to their input, by static analysis', async () => {
    const threads = availableParallelism();
    const shares = Array.from({ length: threads }, (_, thread) =>
      patterns.filter((_pattern, place) => place % threads === thread),
    );
    const slow = await Promise.all(shares.map(analyse));
    assert.deepEqual(slow.flat(), []);
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

/** Analyses patterns on a thread, because some take seconds. @returns those that may be slow */
async function analyse(some: Pattern[]): Promise<string[]> {
  const thread = new Worker(new URL('./analyse-patterns.ts', import.meta.url), { workerData: some });
  const [slow] = (await once(thread, 'message')) as [string[]];
  return slow;
}

/** Returns one input per character of the pattern: the character repeated, then NUL. */
function worstInputs(pattern: Pattern): string[] {
  return [...charactersOf(pattern)].map((character) => `${character.repeat(inputCharacters)}\0`);
}
