import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { AppError } from './errors.ts';
import type { Log } from './log.ts';

declare module 'fastify' {
  interface FastifyInstance {
    afterAnswer: AfterAnswer;
  }
}

export type AfterAnswer = ReturnType<typeof createAfterAnswer>;

type Job = { name: string; work: () => Promise<unknown> };

/** With a mail server that takes 300 ms, a full queue is done in five seconds: before the server's stop time-out. */
const mostWaiting = 100;
const mostAtOnce = 8;
/**
 * Work begins at a moment that cannot be foreseen, within this time: while it keeps the event loop busy, the next
 * request of the same client would be slower.
 */
const longestDelayMs = 1_000;
const evenAnswerMs = 100;

/**
 * Work that begins once an answer has been sent, so that the time of the answer does not tell what the work does:
 * whether it mails a link to an account, for example.
 */
export function createAfterAnswer(log: Log) {
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

  /** While someone waits for all work, none is delayed. */
  const hurried = () => idleListeners.length > 0;

  async function run({ name, work }: Job) {
    try {
      await work();
    } catch (error) {
      log.error({ work: name, reason: reasonOf(error) }, 'work after an answer failed');
    }
    underWay -= 1;
    accepted -= 1;
    next();
  }

  return {
    /**
     * Does `work` after `reply` has been sent. Its errors go to the log.
     * @throws AppError `server/unavailable` while too much waits
     */
    add(reply: FastifyReply, name: string, work: Job['work']): void {
      if (accepted >= mostWaiting) throw new AppError('server/unavailable');
      accepted += 1;
      const begin = () => delay({ name, work });
      // The client may have gone away already; the event does not come twice.
      if (reply.raw.closed) setImmediate(begin);
      else reply.raw.once('close', begin);
    },

    /** Resolves once all accepted work is done, and lets none of it wait longer. */
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
 * Waits until 100 ms have passed since the request came. Differences of a few milliseconds before that, such as what
 * the database has in its cache, do not show in the time of the answer.
 */
export async function evenOutTime(reply: FastifyReply): Promise<void> {
  const restMs = evenAnswerMs - reply.elapsedTime;
  if (restMs > 0) await wait(restMs);
}

/** What a log may say of an error: mail servers and databases repeat addresses of people in their messages. */
export function reasonOf(error: unknown): { code?: string; stack: string } {
  if (!(error instanceof Error)) return { stack: typeof error };
  const { code, stack = error.message } = error as NodeJS.ErrnoException;
  return {
    ...(typeof code === 'string' && { code }),
    stack: stack.slice(0, 2_000).replace(/(?<![^\s<>"'()=:,;@])[^\s<>"'()=:,;@]+@[^\s<>"'(),;@]+/g, '…@…'),
  };
}
