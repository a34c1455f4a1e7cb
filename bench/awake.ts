import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps the processors from falling asleep while a program waits, by work that any other goes before (Linux). To wake a
 * virtual processor takes up to milliseconds when others use its machine: a reader would find a busy server faster than
 * an idle one.
 */
export function keepProcessorsAwake(): { stop(): void } {
  const spinners = Array.from({ length: availableParallelism() }, () => {
    const spinner = spawn('chrt', ['--idle', '0', process.execPath, '--eval', 'for (;;);'], {
      stdio: 'ignore',
    });
    // Where there is no chrt they sleep.
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
