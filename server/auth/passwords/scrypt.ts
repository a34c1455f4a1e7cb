import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#server/http/errors.ts';
import { programFolder } from '#server/program.ts';
import type { FirebaseCost } from './firebase-hash.ts';

/** A job that derives the key of this server's own hash. */
export type OwnJob = { password: string; salt: string };
/** A job that derives the keystream of a hash that came from Firebase. */
export type FirebaseJob = { password: string; salt: Uint8Array; firebase: FirebaseCost };
export type ScryptJob = OwnJob | FirebaseJob;
export type NumberedJob = ScryptJob & { id: number };
/** `priorityRefused` is the reason why the system refused a lower priority. */
export type ScryptMessage = { id: number; key: Uint8Array } | { priorityRefused: string };

export type ScryptThreadData = { cost: number };

/** The value of scrypt's N in Better Auth. A hash takes 85 ms and 32 MiB. */
export const defaultPasswordCost = 16_384;

export type ScryptOptions = {
  /** scrypt's N. */
  cost?: number;
  /**
   * Called when the thread ends unexpectedly. A new thread then repeats the jobs that wait (see `derive`).
   */
  onEnd?: (error: Error) => void;
  onPriorityRefused?: (reason: string) => void;
};

export type Scrypt = {
  /** @throws AppError `server/unavailable` when two threads have ended during the job */
  derive(job: ScryptJob): Promise<Uint8Array>;
  /** Ends the thread. Jobs that still wait are rejected with AppError `server/unavailable`. */
  end(): Promise<void>;
};

type Waiting = NumberedJob & {
  /** The number of threads that have received this job. */
  threads: number;
  resolve: (key: Uint8Array) => void;
  reject: (error: Error) => void;
};

const program = path.join(programFolder, 'server/auth/passwords/scrypt-thread.ts');
/** A job during which two threads have ended would probably end a third one, too. */
const mostThreads = 2;

/**
 * Runs scrypt on a separate thread, one hash at a time. The first hash starts the thread. On Linux the thread
 * has the lowest priority, so other requests come first. libuv's thread pool stays free for file operations.
 */
export function createScrypt({
  cost = defaultPasswordCost,
  onEnd,
  onPriorityRefused,
}: ScryptOptions = {}): Scrypt {
  let worker: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(program, {
      workerData: { cost } satisfies ScryptThreadData,
    });
    worker = started;
    started.on('message', (message: ScryptMessage | undefined) => {
      // With --watch, messages of Node itself, about the files that the thread loads, arrive here too.
      if (message && 'priorityRefused' in message) onPriorityRefused?.(message.priorityRefused);
      if (!message || !('key' in message)) return;
      waiting.get(message.id)?.resolve(message.key);
      waiting.delete(message.id);
      if (waiting.size === 0) started.unref();
    });
    // After `error`, Node also emits `exit`. `replace` ignores the second call.
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
    for (const job of waiting.values()) dispatch(next, job);
  }

  function dispatch(thread: Worker, job: Waiting) {
    job.threads += 1;
    const { threads: _, resolve: __, reject: ___, ...message } = job;
    thread.postMessage(message satisfies NumberedJob);
  }

  return {
    derive(given) {
      const thread = worker ?? start();
      // A pending hash keeps the process alive; an idle thread does not.
      thread.ref();
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      asked += 1;
      const job: Waiting = { ...given, id: asked, threads: 0, resolve, reject };
      waiting.set(job.id, job);
      dispatch(thread, job);
      return promise;
    },

    async end() {
      const ended = worker;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new AppError('server/unavailable'));
      waiting.clear();
      await ended?.terminate();
    },
  };
}
