import type { SolveChallenge } from '#client/app-check.ts';
import type { AppCheckSolution } from '#contract/app-check.ts';

/** What the worker answers. */
export type WorkerAnswer = { solution: AppCheckSolution } | { problem: string };

/** Solves an app-check challenge beside the page, which stays smooth meanwhile. */
export const solveInWorker: SolveChallenge = async (challenge) => {
  try {
    return await askWorker(challenge);
  } catch (error) {
    // Some in-app browsers have no workers: the page does the work itself then.
    console.warn('The app check is solved without a worker.', error);
    const { solveChallenge } = await import('#client/solve-challenge.ts');
    return solveChallenge(challenge);
  }
};

const askWorker: SolveChallenge = (challenge) =>
  new Promise<AppCheckSolution>((resolve, reject) => {
    const worker = new Worker(new URL('./challenge-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
      worker.terminate();
      if ('solution' in data) resolve(data.solution);
      else reject(new Error(data.problem));
    });
    worker.addEventListener('error', (event) => {
      worker.terminate();
      reject(new Error(event.message || 'The worker could not be started.'));
    });
    worker.postMessage(challenge);
  });
