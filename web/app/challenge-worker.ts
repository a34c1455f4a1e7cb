import { solveChallenge } from '#client/solve-challenge.ts';
import type { AppCheckChallenge, AppCheckSolution } from '#contract/app-check.ts';

addEventListener('message', ({ data }: MessageEvent<AppCheckChallenge>) => {
  const send = (message: WorkerMessage) => postMessage(message);
  solveChallenge(data).then(
    (solution) => send({ solution }),
    (error: unknown) => send({ problem: String(error) }),
  );
});

postMessage('started' satisfies WorkerMessage);

/** Messages of the app-check worker: first `started`, then the result of the challenge. */
export type WorkerMessage = 'started' | { solution: AppCheckSolution } | { problem: string };
