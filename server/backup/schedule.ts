import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { shareRun } from '../concurrency.ts';
import { type Database, hasNewerMigrations } from '../database/connect.ts';
import { childEnvironment, StartError } from '../environment.ts';
import type { BackupSettings } from '../environment-backup.ts';
import { programFolder } from '../program.ts';
import { hasUnstoredDeletions, storeDeletions } from './deletions.ts';
import { isNotedDestination } from './place/claim-destination.ts';
import { openBackupStore } from './place/open-backup-store.ts';
import { type BackupRun, lastTimeAt, listRuns } from './runs.ts';

/**
 * The delay of the first check whether a backup is due. It comes soon after the start, in case a backup was
 * missed, but after the first visitors are served.
 */
const firstCheckMs = 2_000;
const checkMs = 30_000;
const hourMs = 60 * 60_000;
/** A failed backup is tried again after this time. */
const retryMs = hourMs;
/**
 * A backup that has not stopped after this time is killed, so that a slow disk or bucket does not delay the
 * server's stop.
 */
const stopTimeoutMs = 4_000;
const program = path.join(programFolder, 'server/backup/scheduled-backup.ts');

type Schedule = {
  database: Database;
  backup: BackupSettings;
  /** Makes a backup unless another instance has made one since `dueAt`, in epoch milliseconds. */
  run: (dueAt: number) => Promise<void>;
  report: (error: unknown) => void;
  now?: () => number;
};

/**
 * Makes the daily backup, and stores the hashes of deleted accounts beside the backups. Every instance
 * regularly checks whether a backup is due; the first one to take the lease makes it. If a newer program has
 * migrated the database, this program leaves the backup to the newer one.
 * @returns `checkDue` does what is due, without waiting for the next regular check; `stop` ends the schedule
 */
export function startBackupSchedule({ database, backup, run, report, now = Date.now }: Schedule) {
  /**
   * When a backup last failed here, in epoch milliseconds. For an hour after that, this instance leaves the
   * backup to others.
   */
  let failedAt = Number.NEGATIVE_INFINITY;
  /**
   * The due time of the last backup that this instance left to a newer program, to report each one only once.
   */
  let leftAt: number | undefined;

  async function checkOnce() {
    if (await hasUnstoredDeletions(database)) {
      const store = await openBackupStore(backup.destination);
      // Stores hashes only in the destination that the database names, because the backups are there.
      if (await isNotedDestination(store, database)) await storeDeletions(database, store, now());
    }
    if (backup.atMinute === undefined || (failedAt <= now() && now() < failedAt + retryMs)) return;
    const dueAt = lastTimeAt(backup.atMinute, now());
    if (!isDue(await listRuns(database, now()), dueAt, now())) return;
    if (await hasNewerMigrations(database)) return leaveToNewer(dueAt);
    await run(dueAt).catch((error: unknown) => {
      failedAt = now();
      throw error;
    });
  }

  /**
   * Leaves a backup to newer instances during a rolling upgrade, because this program does not know all
   * tables.
   * @throws StartError once for each `dueAt`
   */
  function leaveToNewer(dueAt: number) {
    if (leftAt === dueAt) return;
    leftAt = dueAt;
    throw new StartError(
      'O backup do dia fica para um servidor da versão nova, da qual já é o banco de dados: atualize todos.',
    );
  }

  const checkDue = shareRun(() => checkOnce().catch(report));
  const first = setTimeout(() => void checkDue(), firstCheckMs).unref();
  const timer = setInterval(() => void checkDue(), checkMs).unref();
  function stop() {
    clearTimeout(first);
    clearInterval(timer);
  }
  return { checkDue, stop };
}

function isDue(runs: BackupRun[], dueAt: number, now: number): boolean {
  const since = runs.filter(({ startedAt }) => startedAt >= dueAt);
  return !since.some(({ finishedAt, startedAt }) => finishedAt !== null || startedAt > now - retryMs);
}

/**
 * Settings that keep a backup's memory small. Encryption creates much garbage. With these settings, V8
 * collects it early, and libc returns the memory to the system.
 */
export const lowMemoryOptions = {
  nodeOptions: ['--max-semi-space-size=1', '--optimize-for-size'],
  environment: { MALLOC_ARENA_MAX: '1' },
};

/** Gives a process the lowest priority, so that requests come first. */
export function runInBackground(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended, or a sandbox refuses the call.
  }
}

/**
 * Makes a backup in a separate process, so that visitors do not notice it.
 * @param stopped stops the backup early
 * @throws Error when the backup fails; the output of the process says why
 */
export async function runBackupProcess(dueAt: number, stopped: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [...lowMemoryOptions.nodeOptions, program, String(dueAt)], {
    env: childEnvironment(lowMemoryOptions.environment),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    // A killed backup leaves no incomplete snapshot (killed.test.ts).
    killing = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  };
  stopped.addEventListener('abort', stop);
  if (child.pid !== undefined) runInBackground(child.pid);
  const [code] = (await once(child, 'exit')) as [number | null];
  stopped.removeEventListener('abort', stop);
  clearTimeout(killing);
  if (code !== 0 && !stopped.aborted) throw new Error(`The backup has failed (${code}).`);
}
