import type { SolveChallenge } from '#client/app-check.ts';
import { loadChunk } from '#client/load-chunk.ts';
import { solveChallenge } from '#client/solve-challenge.ts';
import type { AppCheckSolution } from '#contract/app-check.ts';
import type { WorkerMessage } from './challenge-worker.ts';

/** Solves an app-check challenge in a worker, so that the page stays responsive. */
export const solveInWorker: SolveChallenge = async (challenge) => {
  if (typeof Worker === 'undefined') return solveChallenge(challenge);
  try {
    return await ask(await loadChunk('challenge-worker', startWorker), challenge);
  } catch (error) {
    // Solve the challenge in this thread if the worker fails. Some in-app browsers refuse to start workers,
    // and a deploy can remove the worker's file.
    console.warn('The app check is solved without a worker.', error);
    return solveChallenge(challenge);
  }
};

function startWorker() {
  return new Promise<Worker>((resolve, reject) => {
    const worker = new Worker(new URL('./challenge-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', () => resolve(worker), { once: true });
    worker.addEventListener('error', (event) =>
      reject(new Error(event.message || 'The worker could not be started.')),
    );
  });
}

const ask = (worker: Worker, challenge: Parameters<SolveChallenge>[0]) =>
  new Promise<AppCheckSolution>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Exclude<WorkerMessage, 'started'>>) => {
      worker.terminate();
      if ('solution' in data) resolve(data.solution);
      else reject(new Error(data.problem));
    });
    worker.postMessage(challenge);
  });
