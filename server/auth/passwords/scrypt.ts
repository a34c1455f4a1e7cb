import { Worker } from 'node:worker_threads';
import { AppError } from '#server/http/errors.ts';

export type ScryptQuestion = { password: string; salt: string };
export type NumberedQuestion = ScryptQuestion & { id: number };
/** `priorityRefused` is the reason why the system refused a lower priority. */
export type ScryptAnswer = { id: number; key: Uint8Array } | { priorityRefused: string };

export type ScryptEvents = {
  /** Called when the thread ends unexpectedly. Waiting questions go to the next thread. */
  onEnd?: (error: Error) => void;
  onPriorityRefused?: (reason: string) => void;
};

type Waiting = NumberedQuestion & {
  /** The number of threads that have received this question. */
  threads: number;
  resolve: (key: Uint8Array) => void;
  reject: (error: Error) => void;
};

/** A question that has ended two threads would probably end a third one. */
const mostThreads = 2;

/**
 * Runs scrypt on a separate thread (85 ms, 32 MiB), one hash at a time. The first hash starts the thread. It
 * has the lowest priority, so other requests come first, and it leaves the thread pool free for files.
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
      // With --watch, Node's messages about the files of a thread arrive here too.
      if (answer && 'priorityRefused' in answer) onPriorityRefused?.(answer.priorityRefused);
      if (!answer || !('key' in answer)) return;
      waiting.get(answer.id)?.resolve(answer.key);
      waiting.delete(answer.id);
      if (waiting.size === 0) started.unref();
    });
    // `exit` also follows `error`.
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
    // A pending hash keeps the process alive; an idle thread does not.
    thread.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    asked += 1;
    const question: Waiting = { id: asked, password, salt, threads: 0, resolve, reject };
    waiting.set(question.id, question);
    hand(thread, question);
    return promise;
  };
}
