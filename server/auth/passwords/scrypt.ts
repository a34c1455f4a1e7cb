import { Worker } from 'node:worker_threads';
import { AppError } from '#server/http/errors.ts';

export type ScryptQuestion = { password: string; salt: string };
export type NumberedQuestion = ScryptQuestion & { id: number };
/** `priorityRefused` is why the system keeps the thread at the usual priority. */
export type ScryptAnswer = { id: number; key: Uint8Array } | { priorityRefused: string };

export type ScryptEvents = {
  /** The thread has ended on its own. Questions that wait go to the next one. */
  onEnd?: (error: Error) => void;
  onPriorityRefused?: (reason: string) => void;
};

type Waiting = NumberedQuestion & {
  /** How many threads have had this question. */
  threads: number;
  resolve: (key: Uint8Array) => void;
  reject: (error: Error) => void;
};

/** A question that has ended two threads would end the third one, too. */
const mostThreads = 2;

/**
 * scrypt on a thread of its own (85 ms, 32 MiB), one after another, begun when it is first needed. The thread has
 * the lowest priority: answers that need no hash come first, and files have the thread pool to themselves.
 * @returns a function that rejects with AppError `server/unavailable` when two threads in a row have ended
 */
export function createScrypt({
  onEnd,
  onPriorityRefused,
}: ScryptEvents = {}): (question: ScryptQuestion) => Promise<Uint8Array> {
  let worker: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(new URL('scrypt-thread.ts', import.meta.url));
    worker = started;
    started.on('message', (answer: ScryptAnswer | undefined) => {
      // With --watch, Node's own messages about the files of a thread come the same way.
      if (answer && 'priorityRefused' in answer) onPriorityRefused?.(answer.priorityRefused);
      if (!answer || !('key' in answer)) return;
      waiting.get(answer.id)?.resolve(answer.key);
      waiting.delete(answer.id);
      if (waiting.size === 0) started.unref();
    });
    // A thread that failed also ends: `exit` follows `error`.
    started.on('error', (error: Error) => replace(started, error));
    started.on('exit', () => replace(started, new Error('The thread that hashes passwords has ended.')));
    return started;
  }

  function replace(ended: Worker, error: Error) {
    if (worker !== ended) return;
    worker = undefined;
    onEnd?.(error);
    for (const { id, threads, reject } of waiting.values()) {
      if (threads < mostThreads) continue;
      waiting.delete(id);
      reject(new AppError('server/unavailable', { cause: error }));
    }
    if (waiting.size === 0) return;
    const next = start();
    for (const question of waiting.values()) hand(next, question);
  }

  function hand(thread: Worker, question: Waiting) {
    question.threads += 1;
    const { id, password, salt } = question;
    thread.postMessage({ id, password, salt } satisfies NumberedQuestion);
  }

  return ({ password, salt }) => {
    const thread = worker ?? start();
    // The process must not end while a hash is under way, and may end when none is.
    thread.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    asked += 1;
    const question: Waiting = { id: asked, password, salt, threads: 0, resolve, reject };
    waiting.set(question.id, question);
    hand(thread, question);
    return promise;
  };
}
