import { scryptSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ScryptAnswer, ScryptQuestion } from './scrypt.ts';

/** OWASP's scrypt of 32 MiB, as Better Auth sets it: hashes of either are the other's, too. */
const cost = { N: 16_384, r: 16, p: 1 };
const keyBytes = 64;
const maxmem = 128 * cost.N * cost.r * 2;

// On Linux a priority belongs to a thread; elsewhere this would slow the whole server down.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', ({ password, salt }: ScryptQuestion) => {
  const key = scryptSync(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem });
  parentPort?.postMessage({ key } satisfies ScryptAnswer);
});
