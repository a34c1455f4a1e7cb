import { scryptSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { NumberedJob, ScryptMessage, ScryptThreadData } from './scrypt.ts';

/** The other scrypt parameters are those of Better Auth, so the hashes are compatible. */
const cost = { N: (workerData as ScryptThreadData).cost, r: 16, p: 1 };
const keyBytes = 64;
const maxmem = 128 * cost.N * cost.r * 2;

const send = (message: ScryptMessage) => parentPort?.postMessage(message);

// On Linux a priority belongs to a thread; on other systems a low one would slow down the whole server.
if (process.platform === 'linux') {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch (error) {
    // Some sandboxes refuse the call. Sign-in works without it.
    send({ priorityRefused: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', ({ id, password, salt }: NumberedJob) => {
  const key = scryptSync(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem });
  send({ id, key });
});
