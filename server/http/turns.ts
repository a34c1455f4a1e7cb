import { AppError } from './errors.ts';

type Limits = {
  /** The number of pieces of work that run at the same time. */
  atOnce: number;
  /** The maximum number of pieces of work that wait. */
  mostWaiting: number;
  /** The longest wait in milliseconds. */
  waitMs: number;
};

/**
 * Limits how much expensive work runs and waits at the same time, whatever visitors request.
 * @returns a function that does a piece of work when its turn comes. It throws AppError `server/unavailable`
 * if too much work waits, or if the turn does not come in time. Work with `mustRun` waits as long as it
 * takes, so the caller must limit its amount.
 */
export function createTurns({ atOnce, mostWaiting, waitMs }: Limits) {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function wait(mustRun: boolean): Promise<void> {
    if (waiting.length >= mostWaiting && !mustRun) throw new AppError('server/unavailable');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (mustRun) return promise;
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(new AppError('server/unavailable'));
    }, waitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  return async function inTurn<Result>(
    work: () => Promise<Result>,
    { mustRun = false } = {},
  ): Promise<Result> {
    if (running < atOnce) running += 1;
    else await wait(mustRun);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
