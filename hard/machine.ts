/** Helpers of the attack tests: folders, file systems, and figures of processes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

/** Creates a folder and deletes it after the test. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-hard-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}

/** Mounts a file system in memory, which a test can fill. Needs root. */
export async function smallFileSystem(t: TestContext, megabytes: number): Promise<string> {
  const disk = await mkdtemp(path.join(tmpdir(), 'acolhe-hard-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', disk]);
  t.after(async () => {
    // `--lazy`, because the server may still use the file system.
    spawnSync('umount', ['--lazy', disk]);
    await rm(disk, { recursive: true, force: true });
  });
  return disk;
}

/** Gives a process only otherwise idle processor time, so that it slows nothing else down. Needs root. */
export function runWhenIdle(pid: number): void {
  execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)]);
}

/** Resident memory of a process and its child processes, in MiB. */
export function residentMegabytes(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const bytes = processes.reduce((sum, name) => {
    const status = readStatus(name);
    const isOurs = name === String(pid) || status.includes(`PPid:\t${pid}\n`);
    return isOurs ? sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024 : sum;
  }, 0);
  return bytes / 1024 ** 2;
}

/** Memory that a process shares with no other process, in MiB; 0 when the process has ended. */
export function privateMegabytes(pid: number): number {
  try {
    const sizes = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/Private_\w+:\s+(\d+)/g);
    return [...sizes].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the number of open file descriptors of a process. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // The process has ended.
  }
}
