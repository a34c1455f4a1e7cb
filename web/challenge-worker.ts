import { solveChallenge } from '#client/solve-challenge.ts';
import type { AppCheckChallenge } from '#contract/app-check.ts';
import type { WorkerAnswer } from './solve-in-worker.ts';

addEventListener('message', async ({ data }: MessageEvent<AppCheckChallenge>) => {
  const answer: WorkerAnswer = await solveChallenge(data).then(
    (solution) => ({ solution }),
    (error: unknown) => ({ problem: String(error) }),
  );
  postMessage(answer);
});
