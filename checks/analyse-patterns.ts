/** Runs on a thread: sends the regular expressions of `workerData` that are not proved to be linear. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkSync } from 'recheck';
import type { Pattern } from './regular-expressions.ts';

/** Long enough for a busy machine. */
const timeout = 60_000;
/** A linear search for the found input takes about a millisecond. */
const longestSearchMs = 500;

const slow = (workerData as Pattern[]).flatMap((pattern) => {
  const { place, source, flags } = pattern;
  const found = checkSync(source, flags, { timeout });
  if (found.status === 'safe') return [];
  if (found.status === 'vulnerable' && !isSlow(pattern, found.attack.string)) return [];
  const attack = found.status === 'vulnerable' ? found.attack.pattern : '';
  return [`${place} /${source}/ is ${found.status} ${attack}`];
});
parentPort?.postMessage(slow);

/** The analysis also confirms its result by a search, but with a time limit that a busy machine exceeds. */
function isSlow({ source, flags }: Pattern, input: string): boolean {
  return [1, 2, 3].every(() => {
    const started = performance.now();
    new RegExp(source, flags).exec(input);
    return performance.now() - started > longestSearchMs;
  });
}
