import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/**
 * Gives a process only the processor time that nothing else wants, as far as the system allows it. With a low
 * priority alone, Linux lets it end a time slice of some milliseconds while a request waits; in the class "idle" it
 * gives way at once (https://man7.org/linux/man-pages/man7/sched.7.html).
 */
export function runWhenIdle(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    return; // The process has ended, or a sandbox refuses the call.
  }
  // On another system or without util-linux, only the low priority applies.
  execFile('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], () => {});
}
