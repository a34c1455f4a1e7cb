import type { AppCheckSolution } from '#contract/app-check.ts';

/** What the app-check worker says: once that it has started, then its answer. */
export type WorkerAnswer = 'started' | { solution: AppCheckSolution } | { problem: string };
