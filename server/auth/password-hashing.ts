import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { lazily } from '../lazily.ts';
import { createHashQueue } from './hash-queue.ts';

export type PasswordHashing = ReturnType<typeof createPasswordHashing>;

/** scrypt (85 ms, 32 MiB each) behind a bounded queue. */
export function createPasswordHashing() {
  // One core stays free for everybody who is not signing in.
  const running = Math.max(1, availableParallelism() - 1);
  const { inQueue, requireRoom } = createHashQueue({ running, waiting: 32 });
  const readyHash = new AsyncLocalStorage<string>();
  const loadCrypto = lazily(() => import('better-auth/crypto'));
  const hashPassword = async (password: string) => (await loadCrypto()).hashPassword(password);

  return {
    /** Refuses before anything else is done for a request that would only wait. @throws AppError `server/unavailable` */
    requireRoom,

    hash: async (password: string) => readyHash.getStore() ?? inQueue(() => hashPassword(password)),

    verify: (attempt: { hash: string; password: string }) =>
      inQueue(async () => (await loadCrypto()).verifyPassword(attempt)),

    /** Hashes first, then does the work, whose database transaction must not wait for the hash. */
    async withReadyHash<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
      const hash = await inQueue(() => hashPassword(password));
      return readyHash.run(hash, work);
    },
  };
}
