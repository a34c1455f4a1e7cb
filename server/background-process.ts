import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives a new process the lowest priority and, on Linux, a single processor, so that a request finds another one free.
 * If the machine has only one, the process gets the scheduling class "idle", which gives way to a request at once.
 * That class is worse on several processors: Linux starts the work of a request on a processor with an idle process,
 * as if it were free, and it takes time to interrupt that process (https://man7.org/linux/man-pages/man7/sched.7.html).
 */
export function runInBackground(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    return; // The process has ended, or a sandbox refuses the call.
  }
  const processors = allowedProcessors(pid);
  const last = processors.split(/[,-]/).at(-1) ?? '';
  const [program, ...options] =
    last === processors ? ['chrt', '--idle', '--pid', '0'] : ['taskset', '--cpu-list', '--pid', last];
  // On another system or without util-linux, only the low priority applies.
  execFile(program as string, ['--all-tasks', ...options, String(pid)], () => {});
}

/** Returns the numbers of the processors that a process may use, such as "0-3,6"; empty if the system does not say. */
function allowedProcessors(pid: number): string {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
