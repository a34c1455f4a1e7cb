import type { Database } from '../database/connect.ts';
import { isAhead } from './snapshot/snapshot-times.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const keptMs = 90 * dayMs;
/** Brasília has had no summer time since 2019. */
const brasiliaMs = -3 * 60 * minuteMs;

export type BackupRun = {
  startedAt: number;
  finishedAt: number | null;
  snapshot: string | null;
  storedBytes: number;
  /** When a check found every byte of the backup undamaged. */
  verifiedAt: number | null;
  damagedParts: number | null;
  /** When this backup had deleted everything that was too old. */
  oldDeletedAt: number | null;
  /** When a drill last restored this backup. */
  drilledAt: number | null;
};

/** Notes that a backup begins, and deletes runs older than 90 days. Times are epoch milliseconds. */
export async function beginRun(database: Database, startedAt: number): Promise<void> {
  await database
    .deleteFrom('backupRuns')
    .where('startedAt', '<', startedAt - keptMs)
    .execute();
  await database.insertInto('backupRuns').values({ startedAt, storedBytes: 0 }).execute();
}

/** Forgets a backup that could not begin. */
export async function forgetRun(database: Database, startedAt: number): Promise<void> {
  await database.deleteFrom('backupRuns').where('startedAt', '=', startedAt).execute();
}

export async function finishRun(
  database: Database,
  startedAt: number,
  result: { finishedAt: number; snapshot: string; storedBytes: number },
): Promise<void> {
  await database.updateTable('backupRuns').set(result).where('startedAt', '=', startedAt).execute();
}

/** Notes that a backup has deleted everything that was too old. Times are epoch milliseconds. */
export async function noteOldDeleted(database: Database, startedAt: number, now: number): Promise<void> {
  await database
    .updateTable('backupRuns')
    .set({ oldDeletedAt: now })
    .where('startedAt', '=', startedAt)
    .execute();
}

/**
 * Notes that every byte of a snapshot was checked.
 * @param damagedParts how many of its parts are damaged
 */
export async function noteCheck(
  database: Database,
  snapshot: string,
  damagedParts: number,
  now = Date.now(),
): Promise<void> {
  await database
    .updateTable('backupRuns')
    .set(damagedParts === 0 ? { verifiedAt: now, damagedParts } : { damagedParts })
    .where('snapshot', '=', snapshot)
    .execute();
}

/** Notes that a drill has restored a snapshot. @returns false if the database does not know the snapshot */
export async function noteDrill(database: Database, snapshot: string, now = Date.now()): Promise<boolean> {
  const noted = await database
    .updateTable('backupRuns')
    .set({ drilledAt: now })
    .where('snapshot', '=', snapshot)
    .returning('startedAt')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Returns the runs of the last months, newest first, without those that a wrong clock puts in the future. */
export async function listRuns(database: Database, now = Date.now()): Promise<BackupRun[]> {
  const runs = await database.selectFrom('backupRuns').selectAll().orderBy('startedAt', 'desc').execute();
  return runs
    .filter(({ startedAt }) => !isAhead(startedAt, now))
    .map((run) => (isAhead(run.verifiedAt ?? 0, now) ? { ...run, verifiedAt: null } : run));
}

/** True if a complete backup began at `time` or later, in epoch milliseconds. */
export async function hasBackupSince(database: Database, time: number, now = Date.now()): Promise<boolean> {
  const runs = await listRuns(database, now);
  return runs.some(({ startedAt, finishedAt }) => startedAt >= time && finishedAt !== null);
}

/** Returns the last time, `now` included, at which Brasília's clock showed this minute of the day. */
export function lastTimeAt(minuteOfDay: number, now: number): number {
  const midnight = Math.floor((now + brasiliaMs) / dayMs) * dayMs - brasiliaMs;
  const today = midnight + minuteOfDay * minuteMs;
  return today <= now ? today : today - dayMs;
}
