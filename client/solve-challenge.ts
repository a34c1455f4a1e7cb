import { type Challenge, solveChallenge as solve } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { AppCheckChallenge, AppCheckSolution } from '#contract/app-check.ts';

/** Solves a challenge in the calling thread: in a browser's worker, or in Node. */
export async function solveChallenge({
  parameters,
  signature,
}: AppCheckChallenge): Promise<AppCheckSolution> {
  const challenge = { parameters: parameters as unknown as Challenge['parameters'], signature };
  const solution = await solve({ challenge, deriveKey });
  if (!solution) throw new Error('The app check found no solution in time.');
  return { counter: solution.counter, derivedKey: solution.derivedKey };
}
