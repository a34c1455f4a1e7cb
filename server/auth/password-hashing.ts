import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { createHashQueue } from './hash-queue.ts';

export type PasswordHashing = ReturnType<typeof createPasswordHashing>;

/** scrypt (85 ms, 32 MiB each) behind a bounded queue. */
export function createPasswordHashing() {
  const inQueue = createHashQueue({ running: 2, waiting: 64 });
  const readyHash = new AsyncLocalStorage<string>();

  return {
    hash: async (password: string) => readyHash.getStore() ?? inQueue(() => hashPassword(password)),

    verify: (attempt: { hash: string; password: string }) => inQueue(() => verifyPassword(attempt)),

    /** Hashes first, then does the work, whose database transaction must not wait for the hash. */
    async withReadyHash<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
      const hash = await inQueue(() => hashPassword(password));
      return readyHash.run(hash, work);
    },
  };
}
