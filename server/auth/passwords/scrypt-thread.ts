import { createCipheriv, scryptSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { firebaseKeyBytes } from './firebase-hash.ts';
import type { FirebaseJob, NumberedJob, OwnJob, ScryptMessage, ScryptThreadData } from './scrypt.ts';

/** `r`, `p` and the usual cost are those of Better Auth, so the hashes are compatible. */
const cost = { N: (workerData as ScryptThreadData).cost, r: 16, p: 1 };
const keyBytes = 64;
const maxmem = 128 * cost.N * cost.r * 2;

const send = (message: ScryptMessage) => parentPort?.postMessage(message);

// On Linux, this lowers the priority of this thread only. Elsewhere, it would slow down the whole server.
if (process.platform === 'linux') {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch (error) {
    // Some sandboxes refuse the call. Sign-in works without it.
    send({ priorityRefused: error instanceof Error ? error.message : String(error) });
  }
}

function deriveOwn({ password, salt }: OwnJob): Uint8Array {
  return scryptSync(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem });
}

/** Does not normalize the password's Unicode, because Firebase does not. */
function deriveFirebase({ password, salt, firebase: { costLog2, rounds } }: FirebaseJob): Uint8Array {
  const N = 2 ** costLog2;
  const key = scryptSync(password, salt, 32, { N, r: rounds, p: 1, maxmem: 128 * N * rounds * 2 + 65_536 });
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(firebaseKeyBytes));
}

parentPort?.on('message', ({ id, ...job }: NumberedJob) => {
  send({ id, key: 'firebase' in job ? deriveFirebase(job) : deriveOwn(job) });
});
