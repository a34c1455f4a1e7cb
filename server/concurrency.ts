import PQueue from 'p-queue';
import { AppError } from './http/errors.ts';

/**
 * Returns a function that calls `make` at its first call. All calls return the same promise, but after a
 * failure, the next call runs `make` again. The server uses this to start faster and to need less memory: it
 * loads a library for sign-in, for example, only at the first sign-in.
 */
export function lazily<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Returns a function that runs `work`. All calls during a run share this run. */
export function shareRun<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Returns a function that makes a value again only for another version. All calls for a version share its
 * value, but after a failure, the next call makes it again.
 */
export function oncePerVersion<Made>() {
  let last: { version: number; made: Promise<Made> } | undefined;
  return (version: number, make: () => Promise<Made>): Promise<Made> => {
    if (last?.version === version) return last.made;
    const making = { version, made: make() };
    last = making;
    making.made.catch(() => {
      if (last === making) last = undefined;
    });
    return making.made;
  };
}

/** Awaits `work` for a limited time. @throws Error after that time; the work itself continues */
export async function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new Error(`No response within ${milliseconds} ms.`));
  // After a long computation, the timer fires before the event loop reads responses that have already
  // arrived. `setImmediate` lets it read them first.
  const timer = setTimeout(() => setImmediate(refuse), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

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
  const queue = new PQueue({ concurrency: atOnce });

  return async function inTurn<Result>(
    work: () => Promise<Result>,
    { mustRun = false } = {},
  ): Promise<Result> {
    if (mustRun) return queue.add(work);
    if (queue.size >= mostWaiting) throw new AppError('server/unavailable');
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(new AppError('server/unavailable')), waitMs);
    const begin = () => {
      clearTimeout(timer);
      return work();
    };
    return queue.add(begin, { signal: waiting.signal });
  };
}
