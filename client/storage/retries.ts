import { isRetried, StorageError } from './storage-error.ts';

/** The first delay, without jitter. It doubles until it is `maxFactor` times as long. */
const startMs = 1_000;
const maxFactor = 64;

export type RetryOptions = {
  /** How long to retry, in milliseconds, counted from the first of several consecutive failures. */
  limitMs: number;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Receives every failure before the wait for the next attempt. */
  onDelay?: ((error: StorageError) => void) | undefined;
};

/** Waits between the attempts of an operation that failed temporarily. */
export type Retries = {
  /**
   * Waits until the next attempt.
   * @throws the error itself when a retry cannot help; StorageError `retry-limit-exceeded` when time is up
   */
  after(error: unknown, signal: AbortSignal): Promise<void>;
  /** After a success: the next failure counts as the first one again. */
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
      // Adds up to half of the delay, so that clients that failed together do not retry together.
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
 * Runs `attempt` until it succeeds. @throws the signal's reason, or the first error that is not retried, or
 * StorageError `retry-limit-exceeded`
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
