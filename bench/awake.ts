import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps the processors awake with work of the idle class (Linux). On a shared machine, waking a virtual
 * processor takes up to some milliseconds, so that an idle server would seem slower than a busy one.
 */
export function keepProcessorsAwake(): { stop(): void } {
  const spinners = Array.from({ length: availableParallelism() }, () => {
    const spinner = spawn('chrt', ['--idle', '0', process.execPath, '--eval', 'for (;;);'], {
      stdio: 'ignore',
    });
    // Without chrt the processors may sleep.
    spinner.on('error', () => {});
    return spinner;
  });
  const stop = () => {
    for (const spinner of spinners) spinner.kill('SIGKILL');
    process.removeListener('exit', stop);
  };
  process.once('exit', stop);
  return { stop };
}
