import { solveChallenge } from '#client/solve-challenge.ts';
import type { AppCheckChallenge } from '#contract/app-check.ts';
import type { WorkerMessage } from './worker-message.ts';

addEventListener('message', ({ data }: MessageEvent<AppCheckChallenge>) => {
  const send = (message: WorkerMessage) => postMessage(message);
  solveChallenge(data).then(
    (solution) => send({ solution }),
    (error: unknown) => send({ problem: String(error) }),
  );
});

postMessage('started' satisfies WorkerMessage);
