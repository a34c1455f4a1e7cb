import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { AppError } from './errors.ts';
import type { Log } from './log.ts';

declare module 'fastify' {
  interface FastifyInstance {
    afterResponse: AfterResponse;
  }
}

export type AfterResponse = ReturnType<typeof createAfterResponse>;

type Job = { name: string; work: () => Promise<unknown> };

/**
 * At 300 ms per mail and `mostAtOnce` mails at a time, a full queue takes about four seconds. This is less
 * than the shutdown time-out.
 */
const mostWaiting = 100;
const mostAtOnce = 8;
/**
 * Work begins after a random delay of at most this time. Work that begins at once would keep the event loop
 * busy. It would slow down the next request of the same client, which would reveal that there was work.
 */
const longestDelayMs = 1_000;
const evenResponseMs = 100;

/**
 * Runs work after a response has been sent, so that the duration of the response does not reveal, for
 * example, whether a link was mailed to an account.
 */
export function createAfterResponse(log: Log) {
  const queue: Job[] = [];
  const delayed = new Map<NodeJS.Timeout, Job>();
  const idleListeners: (() => void)[] = [];
  let accepted = 0;
  let underWay = 0;

  function next() {
    if (accepted === 0) for (const done of idleListeners.splice(0)) done();
    while (underWay < mostAtOnce) {
      const job = queue.shift();
      if (!job) return;
      underWay += 1;
      void run(job);
    }
  }

  function enqueue(job: Job) {
    queue.push(job);
    next();
  }

  function delay(job: Job) {
    if (hurried()) return enqueue(job);
    const timer = setTimeout(() => {
      delayed.delete(timer);
      enqueue(job);
    }, randomInt(longestDelayMs));
    delayed.set(timer, job);
  }

  /** While `idle` waits, work begins without a delay. */
  const hurried = () => idleListeners.length > 0;

  async function run({ name, work }: Job) {
    try {
      await work();
    } catch (error) {
      log.error({ work: name, reason: reasonOf(error) }, 'work after a response failed');
    }
    underWay -= 1;
    accepted -= 1;
    next();
  }

  return {
    /**
     * Queues `work`, which runs after `reply` has been sent. Errors of the work go to the log.
     * @throws AppError `server/unavailable` when the queue is full
     */
    add(reply: FastifyReply, name: string, work: Job['work']): void {
      if (accepted >= mostWaiting) throw new AppError('server/unavailable');
      accepted += 1;
      const begin = () => delay({ name, work });
      // If the client has already disconnected, `close` does not fire again.
      if (reply.raw.closed) setImmediate(begin);
      else reply.raw.once('close', begin);
    },

    /** Runs delayed work at once. Resolves when all accepted work is done. */
    async idle(): Promise<void> {
      if (accepted === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      idleListeners.push(resolve);
      for (const [timer, job] of delayed) {
        clearTimeout(timer);
        enqueue(job);
      }
      delayed.clear();
      await promise;
    },
  };
}

/**
 * Waits until 100 ms have passed since the request arrived. This hides differences of a few milliseconds, for
 * example those that the database's cache causes.
 */
export async function evenOutTime(reply: FastifyReply): Promise<void> {
  const restMs = evenResponseMs - reply.elapsedTime;
  if (restMs > 0) await wait(restMs);
}

/**
 * Returns an error in a form for the log. Removes email addresses, because mail servers and databases repeat
 * them in their error messages.
 */
export function reasonOf(error: unknown): { code?: string; stack: string } {
  if (!(error instanceof Error)) return { stack: typeof error };
  const { code, stack = error.message } = error as NodeJS.ErrnoException;
  return {
    ...(typeof code === 'string' && { code }),
    stack: stack.slice(0, 2_000).replace(/(?<![^\s<>"'()=:,;@])[^\s<>"'()=:,;@]+@[^\s<>"'(),;@]+/g, '…@…'),
  };
}
