import { Worker } from 'node:worker_threads';

export type ScryptQuestion = { password: string; salt: string };
export type ScryptAnswer = { key: Uint8Array };

type Waiting = { resolve: (key: Uint8Array) => void; reject: (error: Error) => void };

/**
 * scrypt on a thread of its own (85 ms, 32 MiB), one after another, begun when it is first needed. The thread has
 * the lowest priority: whoever reads the site goes before those who sign in, and files have the thread pool to
 * themselves.
 */
export function createScrypt(): (question: ScryptQuestion) => Promise<Uint8Array> {
  let worker: Worker | undefined;
  const waiting: Waiting[] = [];

  function start(): Worker {
    const started = new Worker(new URL('scrypt-thread.ts', import.meta.url));
    started.on('message', ({ key }: Partial<ScryptAnswer>) => {
      // With --watch, Node's own messages about the files of a thread come the same way.
      if (key) waiting.shift()?.resolve(key);
      if (waiting.length === 0) started.unref();
    });
    // A thread that failed ends, too: what waits was refused by then, and another thread may have begun.
    started.on('error', (error: Error) => refuseWaiting(started, error));
    started.on('exit', () =>
      refuseWaiting(started, new Error('The thread that hashes passwords has ended.')),
    );
    return started;
  }

  function refuseWaiting(ended: Worker, error: Error) {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  return (question) => {
    worker ??= start();
    // A program ends while nobody waits for a hash, and not before.
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    waiting.push({ resolve, reject });
    worker.postMessage(question);
    return promise;
  };
}
