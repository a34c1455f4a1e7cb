import type { AppCheckSolution } from '#contract/app-check.ts';

/** Messages of the app-check worker: first `started`, then its answer. */
export type WorkerAnswer = 'started' | { solution: AppCheckSolution } | { problem: string };
