import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, constants, getPriority } from 'node:os';
import { it, type TestContext } from 'node:test';
import { runInBackground } from './background-process.ts';
import { until } from './testing/until.ts';

/** The scheduling class "idle" (SCHED_IDLE), as a number in /proc/<pid>/stat. */
const idleClass = '5';

it('gives a process the lowest priority and one processor of several', async (t) => {
  const pid = startProcess(t);
  runInBackground(pid);
  assert.equal(getPriority(pid), constants.priority.PRIORITY_LOW);
  if (process.platform !== 'linux' || availableParallelism() === 1) return;
  await until(async () => /^\d+$/.test(allowedProcessors(pid)));
});

it('gives a process that has only one processor the class "idle"', async (t) => {
  if (process.platform !== 'linux') return;
  const [first = ''] = allowedProcessors(process.pid).split(/[,-]/);
  const pid = startProcess(t, ['taskset', '--cpu-list', first]);
  await until(async () => allowedProcessors(pid) === first);
  runInBackground(pid);
  await until(async () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').at(-12) === idleClass);
});

function startProcess(t: TestContext, command: string[] = []): number {
  const [program = '', ...options] = [...command, 'sleep', '60'];
  const child = spawn(program, options, { stdio: 'ignore' });
  t.after(() => child.kill());
  assert.ok(child.pid);
  return child.pid;
}

function allowedProcessors(pid: number): string {
  return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
}
