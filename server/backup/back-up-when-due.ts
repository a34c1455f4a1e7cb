import { type BackupContext, BackupRunning, backUp, warningsOf } from './back-up.ts';
import { openBackupStore } from './place/open-backup-store.ts';
import { listRuns } from './runs.ts';
import { checkSnapshot } from './verify.ts';

/** A check reads every byte of a backup, so it runs only once a week. */
const verifyMs = 7 * 24 * 60 * 60_000;

/**
 * Makes the daily backup, and once a week checks every byte of it.
 * @param options.dueAt epoch milliseconds; if a backup was made since then, this function makes none
 * @returns the sentences for the log; undefined if no backup was due, or another process makes one
 * @throws StartError when the backup failed, or is damaged
 */
export async function backUpWhenDue(
  context: BackupContext,
  { dueAt, signal, now = Date.now }: { dueAt: number; signal: AbortSignal; now?: () => number },
): Promise<string | undefined> {
  const options = { progress: () => {}, signal, now, unlessSince: dueAt };
  const made = await backUp(context, options).catch((error: unknown) => {
    if (!(error instanceof BackupRunning)) throw error;
    return undefined;
  });
  if (!made) return undefined;
  const runs = await listRuns(context.database, now());
  const verifiedAt = Math.max(0, ...runs.map((run) => run.verifiedAt ?? 0));
  const { backup } = context.environment;
  if (backup && verifiedAt < now() - verifyMs) {
    const store = await openBackupStore(backup.destination);
    await checkSnapshot(context.database, store, made.snapshot, { now: now(), signal });
  }
  return [`Backup feito em ${made.destination}.`, ...warningsOf(made)].join('\n');
}
