import { scryptSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { NumberedQuestion, ScryptAnswer } from './scrypt.ts';

/** OWASP's scrypt of 32 MiB, the same parameters as Better Auth, so the hashes are compatible. */
const cost = { N: 16_384, r: 16, p: 1 };
const keyBytes = 64;
const maxmem = 128 * cost.N * cost.r * 2;

const answer = (content: ScryptAnswer) => parentPort?.postMessage(content);

// On Linux a priority belongs to a thread; on other systems it would slow down the whole server.
if (process.platform === 'linux') {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch (error) {
    // Some sandboxes refuse the call. Sign-in works without it.
    answer({ priorityRefused: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', ({ id, password, salt }: NumberedQuestion) => {
  const key = scryptSync(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem });
  answer({ id, key });
});
