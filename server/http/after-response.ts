import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { AppError } from './errors.ts';
import { type Log, reasonOf } from './log.ts';

declare module 'fastify' {
  interface FastifyInstance {
    afterResponse: AfterResponse;
  }
}

export type AfterResponse = ReturnType<typeof createAfterResponse>;

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
/** Longer than hashing a password takes on most machines. */
const evenStepMs = 250;

/**
 * Runs work after a response has been sent, so that the duration of the response does not reveal, for
 * example, whether a link was mailed to an account.
 */
export function createAfterResponse(log: Log) {
  const queue = new PQueue({ concurrency: mostAtOnce });
  const accepted = new Set<Promise<void>>();
  /** Aborted while `idle` waits: work then begins without a delay. */
  let hurry = new AbortController();

  async function run(reply: FastifyReply, name: string, work: () => Promise<unknown>) {
    await closeOf(reply);
    await wait(randomInt(longestDelayMs), undefined, { signal: hurry.signal }).catch(() => {});
    await queue.add(work).catch((error: unknown) => {
      log.error({ work: name, reason: reasonOf(error) }, 'work after a response failed');
    });
  }

  return {
    /**
     * Queues `work`, which runs after `reply` has been sent. Errors of the work go to the log.
     * @throws AppError `server/unavailable` when the queue is full
     */
    add(reply: FastifyReply, name: string, work: () => Promise<unknown>): void {
      if (accepted.size >= mostWaiting) throw new AppError('server/unavailable');
      const job = run(reply, name, work).finally(() => accepted.delete(job));
      accepted.add(job);
    },

    /** Runs delayed work at once. Resolves when all accepted work is done. */
    async idle(): Promise<void> {
      hurry.abort();
      while (accepted.size > 0) await Promise.all(accepted);
      hurry = new AbortController();
    },
  };
}

/** Waits until the connection has closed, or the response has been sent. */
async function closeOf({ raw }: FastifyReply): Promise<void> {
  // If the client has already disconnected, `close` does not fire again.
  if (raw.closed) return nextTurn();
  const { promise, resolve } = Promise.withResolvers<void>();
  raw.once('close', resolve);
  return promise;
}

/**
 * The options of a route whose time must not tell whether an email address has an account, though the
 * database's cache and the hashes of passwords take different times. Its responses leave a whole number of
 * `evenStepMs` after the request arrived, unless they begin a session or create an account.
 */
export const evenTime = {
  async onSend(_request: FastifyRequest, reply: FastifyReply) {
    if (![200, 201].includes(reply.statusCode)) await wait(evenStepMs - (reply.elapsedTime % evenStepMs));
  },
};
