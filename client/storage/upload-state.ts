import type { FileMetadata } from '#contract/storage.ts';
import type { StorageError } from './storage-error.ts';

type Transferred = { bytesTransferred: number };

/**
 * A run is the network work of an upload, from a start or a resume until the work stops. The abort signal of
 * a run identifies it, and the reducer ignores actions of earlier runs.
 */
export type Run = AbortSignal;

export type UploadState =
  | (Transferred & { name: 'running' | 'pausing' | 'canceling'; run: Run })
  | (Transferred & { name: 'paused' })
  | (Transferred & { name: 'success'; metadata: FileMetadata })
  | (Transferred & { name: 'canceled' | 'error'; error: StorageError });

export type UploadAction =
  | { type: 'pause' }
  /** `next` identifies the new run, if this action starts one. */
  | { type: 'resume'; next: Run }
  | { type: 'cancel' }
  | { type: 'progressed'; run: Run; bytesTransferred: number }
  /** Reports that an aborted run has stopped. `next` identifies the new run, if this action starts one. */
  | { type: 'stopped'; run: Run; next: Run; canceled: StorageError }
  | { type: 'succeeded'; run: Run; metadata: FileMetadata }
  | { type: 'failed'; run: Run; error: StorageError };

/** Returns the state after `action`; the same object when nothing changes. */
export function reduceUpload(state: UploadState, action: UploadAction): UploadState {
  switch (action.type) {
    case 'pause':
      return state.name === 'running' ? { ...state, name: 'pausing' } : state;
    case 'resume':
      if (state.name === 'paused') return { ...state, name: 'running', run: action.next };
      // The aborted run has not stopped yet. The next run starts when the aborted run stops.
      return state.name === 'pausing' ? { ...state, name: 'running' } : state;
    case 'cancel':
      return state.name === 'running' || state.name === 'pausing' ? { ...state, name: 'canceling' } : state;
    case 'progressed':
    case 'stopped':
    case 'succeeded':
    case 'failed':
      return isOfRun(state, action.run) ? reduceRun(state, action) : state;
    default:
      return action satisfies never;
  }
}

type Active = Extract<UploadState, { run: Run }>;
type RunAction = Extract<UploadAction, { run: Run }>;

const isOfRun = (state: UploadState, run: Run): state is Active => 'run' in state && state.run === run;

/** A run can succeed or fail before an abort reaches it. The upload then also succeeds or fails. */
function reduceRun(state: Active, action: RunAction): UploadState {
  const { bytesTransferred } = state;
  switch (action.type) {
    case 'progressed':
      return action.bytesTransferred === bytesTransferred
        ? state
        : { ...state, bytesTransferred: action.bytesTransferred };
    case 'stopped':
      return atRest(state, action);
    case 'succeeded':
      return { name: 'success', bytesTransferred, metadata: action.metadata };
    case 'failed':
      return { name: 'error', bytesTransferred, error: action.error };
    default:
      return action satisfies never;
  }
}

function atRest(
  { name, bytesTransferred }: Active,
  { next, canceled }: Extract<UploadAction, { type: 'stopped' }>,
): UploadState {
  switch (name) {
    case 'running':
      return { name, bytesTransferred, run: next };
    case 'pausing':
      return { name: 'paused', bytesTransferred };
    case 'canceling':
      return { name: 'canceled', bytesTransferred, error: canceled };
    default:
      return name satisfies never;
  }
}

/** Returns the event that observers receive after a state change; `undefined` if they receive none. */
export function eventOf(before: UploadState, after: UploadState): 'next' | 'error' | 'complete' | undefined {
  if (before.bytesTransferred !== after.bytesTransferred) return 'next';
  if (before.name === after.name) return undefined;
  switch (after.name) {
    case 'running':
      return before.name === 'paused' ? 'next' : undefined;
    case 'paused':
      return 'next';
    case 'pausing':
    case 'canceling':
      return undefined;
    case 'canceled':
    case 'error':
      return 'error';
    case 'success':
      return 'complete';
    default:
      return after satisfies never;
  }
}
