import type { AppCheckSolution } from '#contract/app-check.ts';

/** Messages of the app-check worker: first `started`, then the result of the challenge. */
export type WorkerMessage = 'started' | { solution: AppCheckSolution } | { problem: string };
