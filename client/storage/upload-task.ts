import type { FileMetadata } from '#contract/storage.ts';
import { StorageError } from './storage-error.ts';
import { eventOf, reduceUpload, type UploadAction, type UploadState } from './upload-state.ts';

/** The state of an upload for its observers. */
export type UploadSnapshot = {
  state: 'running' | 'paused' | 'success' | 'canceled' | 'error';
  bytesTransferred: number;
  totalBytes: number;
};

export type UploadObserver = {
  /**
   * Called once after `observe`, unless the upload has ended; then whenever `bytesTransferred` changes, and
   * when the upload pauses or resumes.
   */
  next?: (snapshot: UploadSnapshot) => void;
  /** Called when the upload has failed or was cancelled. */
  error?: (error: StorageError) => void;
  complete?: () => void;
  /** Called after a temporary failure, before the upload waits and retries. */
  delay?: (error: StorageError) => void;
};

/** One upload. Awaiting the task returns the stored file's metadata. */
export type UploadTask = Pick<Promise<FileMetadata>, 'then'> & {
  readonly path: string;
  readonly snapshot: UploadSnapshot;
  /** `pause`, `resume` and `cancel` return true if they had an effect. */
  pause(): boolean;
  resume(): boolean;
  cancel(): boolean;
  /**
   * Adds an observer and returns a function that removes it. Observers are called asynchronously; at the end
   * of the upload, they are called after the task's promise has settled.
   */
  observe(observer: UploadObserver): () => void;
};

/** The network work of an upload, without its state. */
export type UploadWork = {
  /** Runs from the current offset to the end. @throws the signal's reason when it is aborted */
  run(signal: AbortSignal, onBytes: (bytes: number) => void): Promise<FileMetadata>;
  /** Removes the remains of a cancelled upload from the server. */
  abandon(signal: AbortSignal): Promise<void>;
};

const abandonTimeoutMs = 10_000;

/** Starts an upload. @param createWork creates work that calls `onDelay` before each wait for a retry */
export function startUpload(
  path: string,
  totalBytes: number,
  createWork: (onDelay: (error: StorageError) => void) => UploadWork,
): UploadTask {
  const observers = new Set<UploadObserver>();
  let succeed: (metadata: FileMetadata) => void;
  let fail: (error: StorageError) => void;
  const result = new Promise<FileMetadata>((resolve, reject) => {
    succeed = resolve;
    fail = reject;
  });
  // Prevents an unhandled rejection if the caller uses only observers and not the promise.
  result.catch(() => {});
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
    // biome-ignore lint/suspicious/noThenProperty: callers await a task like a promise.
    then: (...handlers) => result.then(...handlers),
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

  /**
   * Applies an action and runs its effects.
   * @param next the controller of the run that the action may start
   */
  function dispatch(action: UploadAction, next?: AbortController): boolean {
    const before = state;
    state = reduceUpload(before, action);
    if (state === before) return false;
    settle(state);
    if (eventOf(before, state)) for (const observer of observers) notify(observer, state);
    // Aborts the requests that are still in progress.
    if (state.name !== 'running') controller.abort();
    if (state.name === 'canceled') work.abandon(AbortSignal.timeout(abandonTimeoutMs)).catch(() => {});
    if (next && 'run' in state && state.run === next.signal) {
      controller = next;
      begin(next);
    }
    return true;
  }

  /** Settles the promise asynchronously, but before any observer is called. */
  function settle(now: UploadState) {
    if (now.name === 'success') queueMicrotask(() => succeed(now.metadata));
    if (now.name === 'canceled' || now.name === 'error') queueMicrotask(() => fail(now.error));
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
