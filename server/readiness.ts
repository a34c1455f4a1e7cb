import { sql } from 'kysely';
import type { AppContext } from './context.ts';
import { AppError } from './errors.ts';

/** Longer than either takes while it is well, shorter than a balancer's patience. */
const patienceMs = 4_000;

/**
 * Whether this instance can serve: the database answers, and files can be read and written. Whoever asks while that
 * is being found out gets the same answer, so that strangers cannot make it a load.
 * @returns what throws AppError `server/unavailable` when one of them is away or does not answer in time
 */
export function createReadiness({ database, fileStore }: Pick<AppContext, 'database' | 'fileStore'>) {
  let underWay: Promise<void> | undefined;

  async function check() {
    const answers = Promise.all([sql`select 1`.execute(database), fileStore.check()]);
    await within(patienceMs, answers).catch((cause: unknown) => {
      throw new AppError('server/unavailable', { cause });
    });
  }

  return (): Promise<void> => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${milliseconds} ms.`)), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
