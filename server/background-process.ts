import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives a new process the lowest priority. On Linux with several processors, it also limits the process to
 * one of them, so that requests find the others free. With a single processor, the process gets the
 * scheduling class "idle" (SCHED_IDLE) instead, which yields to a request at once. With several processors,
 * that class would be worse. Linux treats a processor that runs such a process as free, and gives it the work
 * of a request. But it takes time to interrupt the process
 * (https://man7.org/linux/man-pages/man7/sched.7.html).
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
  // On another system or without util-linux, the process has only the low priority.
  execFile(program as string, ['--all-tasks', ...options, String(pid)], () => {});
}

/** Returns the processors that a process may use, such as "0-3,6"; empty if the system does not say. */
function allowedProcessors(pid: number): string {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
