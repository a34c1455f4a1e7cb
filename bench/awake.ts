import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps the processors awake with work in Linux's idle scheduling class. On a shared machine, waking a
 * virtual processor takes up to a few milliseconds, so an idle server would seem slower than a busy one.
 */
export function keepProcessorsAwake(): { stop(): void } {
  const spinners = Array.from({ length: availableParallelism() }, () => {
    const spinner = spawn('chrt', ['--idle', '0', process.execPath, '--eval', 'for (;;);'], {
      stdio: 'ignore',
    });
    // Ignores errors: if `chrt` is missing, the measurement continues, and the processors can sleep.
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
