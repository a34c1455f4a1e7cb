import { pbkdf2Sync } from 'node:crypto';
import { type Challenge, solveChallenge as solve } from 'altcha-lib';
import type { SolveChallenge } from '#client/app-check.ts';

/**
 * Solves a challenge like the client library's solver. For keys of cost 1, the synchronous call takes much
 * less processor time than the Web Crypto API, which uses a thread pool.
 */
export const solveChallengeSync: SolveChallenge = async ({ parameters, signature }) => {
  const challenge = { parameters: parameters as unknown as Challenge['parameters'], signature };
  const solution = await solve({
    challenge,
    deriveKey: async ({ cost, keyLength = 32 }, salt, password) => ({
      derivedKey: pbkdf2Sync(password, salt, cost, keyLength, 'sha256'),
    }),
  });
  if (!solution) throw new Error('The app check found no solution in time.');
  return { counter: solution.counter, derivedKey: solution.derivedKey };
};
