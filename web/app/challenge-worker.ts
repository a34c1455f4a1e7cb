import { solveChallenge } from '#client/solve-challenge.ts';
import type { AppCheckChallenge } from '#contract/app-check.ts';
import type { WorkerAnswer } from './worker-answer.ts';

addEventListener('message', ({ data }: MessageEvent<AppCheckChallenge>) => {
  const answer = (message: WorkerAnswer) => postMessage(message);
  solveChallenge(data).then(
    (solution) => answer({ solution }),
    (error: unknown) => answer({ problem: String(error) }),
  );
});

postMessage('started' satisfies WorkerAnswer);
