import { isRetried, StorageError } from './storage-error.ts';

/** The first delay, without jitter. The delay doubles until it is `maxFactor` times the first delay. */
const startMs = 1_000;
const maxFactor = 64;

export type RetryOptions = {
  /** How long to retry, in milliseconds, from the first of several consecutive failures. */
  limitMs: number;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called with every failure, before the wait for the next attempt. */
  onDelay?: ((error: StorageError) => void) | undefined;
};

/** Waits between the attempts of an operation that failed temporarily. */
export type Retries = {
  /**
   * Waits until the next attempt.
   * @throws the error itself when a retry cannot help; StorageError `retry-limit-exceeded` when time is up
   */
  after(error: unknown, signal: AbortSignal): Promise<void>;
  /** Call this after a success. The next failure then counts as the first failure. */
  reset(): void;
};

/** Creates retries with exponential backoff and jitter, as the specification defines them. */
export function createRetries({ limitMs, wait, onDelay }: RetryOptions): Retries {
  let factor = 1;
  let failingSince: number | undefined;
  return {
    async after(error, signal) {
      if (!(error instanceof StorageError) || !isRetried(error)) throw error;
      failingSince ??= performance.now();
      const leftMs = limitMs - (performance.now() - failingSince);
      if (leftMs <= 0) throw limitExceeded(error);
      onDelay?.(error);
      // Add a random time, so that clients that failed at the same moment retry at different moments.
      const delayMs = startMs * factor * (1 + Math.random() / 2);
      factor = Math.min(factor * 2, maxFactor);
      await wait(Math.min(delayMs, leftMs), signal);
    },
    reset() {
      factor = 1;
      failingSince = undefined;
    },
  };
}

const limitExceeded = (error: StorageError) =>
  new StorageError('retry-limit-exceeded', error.path, {
    status: error.status,
    serverCode: error.serverCode,
    requestId: error.requestId,
    cause: error,
  });

/**
 * Runs `attempt` until it succeeds.
 * @throws the signal's reason, the first error for which a retry cannot help, or StorageError
 * `retry-limit-exceeded`
 */
export async function withRetries<T>(
  retries: Retries,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const result = await attempt();
      retries.reset();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      await retries.after(error, signal);
    }
  }
}
