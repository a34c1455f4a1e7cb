import type { FileMetadata } from '#contract/storage.ts';
import { StorageError } from './storage-error.ts';
import { eventOf, reduceUpload, type UploadAction, type UploadState } from './upload-state.ts';

/** An upload as its observers see it. */
export type UploadSnapshot = {
  state: 'running' | 'paused' | 'success' | 'canceled' | 'error';
  bytesTransferred: number;
  totalBytes: number;
};

export type UploadObserver = {
  /** At once, when bytes have moved, and when the upload was paused or resumed. */
  next?: (snapshot: UploadSnapshot) => void;
  /** It has failed, or was cancelled. */
  error?: (error: StorageError) => void;
  complete?: () => void;
  /** Something failed for the moment and is about to be tried again. */
  delay?: (error: StorageError) => void;
};

/** One upload; as a promise it gives what is stored. */
export type UploadTask = Pick<Promise<FileMetadata>, 'then'> & {
  readonly path: string;
  readonly snapshot: UploadSnapshot;
  /** Each says whether it had an effect. */
  pause(): boolean;
  resume(): boolean;
  cancel(): boolean;
  /** Calls come asynchronously, after the task's promise has settled. Gives what ends them. */
  observe(observer: UploadObserver): () => void;
};

/** The network work of an upload, apart from its states. */
export type UploadWork = {
  /** Runs to the end, from wherever the upload stands. @throws the signal's reason when it is aborted */
  run(signal: AbortSignal, onBytes: (bytes: number) => void): Promise<FileMetadata>;
  /** Removes what a cancelled upload has left at the server. */
  abandon(signal: AbortSignal): Promise<void>;
};

const abandonTimeoutMs = 10_000;

/** Starts an upload. @param work is given how to tell of delays */
export function startUpload(
  path: string,
  totalBytes: number,
  createWork: (onDelay: (error: StorageError) => void) => UploadWork,
): UploadTask {
  const observers = new Set<UploadObserver>();
  const result = Promise.withResolvers<FileMetadata>();
  // Observers may be all that listens.
  result.promise.catch(() => {});
  const work = createWork((error) => {
    for (const observer of observers) queueMicrotask(() => observer.delay?.(error));
  });

  let controller = new AbortController();
  let state: UploadState = { name: 'running', run: controller.signal, bytesTransferred: 0 };
  begin(controller);
  return {
    path,
    get snapshot() {
      return snapshotOf(state, totalBytes);
    },
    pause: () => dispatch({ type: 'pause' }),
    resume: () => {
      const next = new AbortController();
      return dispatch({ type: 'resume', next: next.signal }, next);
    },
    cancel: () => dispatch({ type: 'cancel' }),
    observe(observer) {
      observers.add(observer);
      notify(observer, state);
      return () => void observers.delete(observer);
    },
    // biome-ignore lint/suspicious/noThenProperty: a task is awaited like the promise that it is.
    then: (...handlers) => result.promise.then(...handlers),
  };

  function begin(started: AbortController) {
    const run = started.signal;
    const onBytes = (bytesTransferred: number) => dispatch({ type: 'progressed', run, bytesTransferred });
    work.run(run, onBytes).then(
      (metadata) => dispatch({ type: 'succeeded', run, metadata }),
      (error: unknown) => {
        if (error !== run.reason)
          return dispatch({ type: 'failed', run, error: asStorageError(error, path) });
        const next = new AbortController();
        const canceled = new StorageError('canceled', path);
        return dispatch({ type: 'stopped', run, next: next.signal, canceled }, next);
      },
    );
  }

  /** Takes a step, and does what belongs to it. @param next controls the run that the action would start */
  function dispatch(action: UploadAction, next?: AbortController): boolean {
    const before = state;
    state = reduceUpload(before, action);
    if (state === before) return false;
    settle(state);
    if (eventOf(before, state)) for (const observer of observers) notify(observer, state);
    // Whatever is still under way has nothing more to say.
    if (state.name !== 'running') controller.abort();
    if (state.name === 'canceled') work.abandon(AbortSignal.timeout(abandonTimeoutMs)).catch(() => {});
    if (next && 'run' in state && state.run === next.signal) {
      controller = next;
      begin(next);
    }
    return true;
  }

  /** Before any observer is called, and like their calls not in the middle of whatever led here. */
  function settle(now: UploadState) {
    if (now.name === 'success') queueMicrotask(() => result.resolve(now.metadata));
    if (now.name === 'canceled' || now.name === 'error') queueMicrotask(() => result.reject(now.error));
  }

  function notify(observer: UploadObserver, now: UploadState) {
    const told = callOf(observer, now, totalBytes);
    queueMicrotask(() => {
      if (observers.has(observer)) told();
    });
  }
}

function callOf(observer: UploadObserver, now: UploadState, totalBytes: number): () => void {
  switch (now.name) {
    case 'success':
      return () => observer.complete?.();
    case 'canceled':
    case 'error':
      return () => observer.error?.(now.error);
    case 'running':
    case 'pausing':
    case 'canceling':
    case 'paused': {
      const snapshot = snapshotOf(now, totalBytes);
      return () => observer.next?.(snapshot);
    }
    default:
      return now satisfies never;
  }
}

function snapshotOf({ name, bytesTransferred }: UploadState, totalBytes: number): UploadSnapshot {
  const state = name === 'pausing' || name === 'canceling' ? 'running' : name;
  return { state, bytesTransferred, totalBytes };
}

function asStorageError(error: unknown, path: string): StorageError {
  return error instanceof StorageError ? error : new StorageError('internal-error', path, { cause: error });
}
