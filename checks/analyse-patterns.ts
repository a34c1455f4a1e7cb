/** Runs on a thread: sends the regular expressions of `workerData` that are not proved to be linear. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkSync } from 'recheck';
import type { Pattern } from './regular-expressions.ts';

/** Long enough for a busy machine. */
const timeout = 60_000;

const slow = (workerData as Pattern[]).flatMap(({ place, source, flags }) => {
  const found = checkSync(source, flags, { timeout });
  const attack = found.status === 'vulnerable' ? found.attack.pattern : '';
  return found.status === 'safe' ? [] : [`${place} /${source}/ is ${found.status} ${attack}`];
});
parentPort?.postMessage(slow);
