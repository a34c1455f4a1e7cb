import { limits } from '#contract/limits.ts';
import { isRetried, StorageError } from './storage-error.ts';

export type RetryOptions = {
  /** For how long failures in a row are borne, in milliseconds, counted from the first. */
  limitMs: number;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told of every failure that is about to be waited out. */
  onDelay?: ((error: StorageError) => void) | undefined;
};

/** Waits between the tries of something that failed for the moment. */
export type Retries = {
  /**
   * Waits until it makes sense to try again.
   * @throws the error itself when it is not for a second try; StorageError `retry-limit-exceeded` when time is up
   */
  after(error: unknown, signal: AbortSignal): Promise<void>;
  /** Something succeeded: the next failure is a first one again. */
  reset(): void;
};

/** The delays of SPEC.md section 9: one second, then twice as long each time with jitter, up to a factor. */
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
      // Up to a half more, so that many who failed together do not come back together.
      const delayMs = limits.retryStartMs * factor * (1 + Math.random() / 2);
      factor = Math.min(factor * 2, limits.retryMaxFactor);
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

/** Runs `attempt` until it succeeds. @throws what `Retries.after` throws */
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
