import { type BackupStore, objectFolders } from './place/backup-store.ts';
import type { ShowProgress } from './progress.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import { listDamaged, unmarkDamaged } from './snapshot/known-objects.ts';
import { listSnapshots, readManifest } from './snapshot/manifests.ts';
import { dayOf, manifestObject, NewerBackup, timeOfSnapshot } from './snapshot/snapshot-format.ts';
import { findAhead } from './snapshot/snapshot-times.ts';

const dayMs = 24 * 60 * 60_000;
/**
 * Old snapshots are deleted only if there are recent snapshots from at least this many days. If the clock is
 * far ahead, all earlier snapshots look old. They are then deleted only if the clock stays wrong for that
 * many days.
 */
const leastRecentDays = 2;

/** The names of snapshots with a problem. */
export type SnapshotProblems = {
  /** Snapshots with a damaged manifest. Until they are too old, every object that they could need is kept. */
  damaged: string[];
  /** Snapshots from the future. They are not deleted, because it may be today's clock that is wrong. */
  ahead: string[];
};

/**
 * Deletes snapshots that are older than `days`, except the newest one, and then every object that no
 * remaining snapshot needs. Call it only while nothing else writes to the store. This program does not know
 * which objects a snapshot of a newer program needs. So while there is such a snapshot, this function deletes
 * only old snapshots.
 * @param options.now epoch milliseconds
 * @returns `allDeleted` is false if objects may be left that only a snapshot older than `days` needed
 * @throws the reason of `signal` when it is aborted; the next call then deletes what is left
 */
export async function removeOldBackups(
  store: BackupStore,
  { days, now, progress, signal }: { days: number; now: number; progress: ShowProgress; signal: AbortSignal },
): Promise<{ problems: SnapshotProblems; allDeleted: boolean }> {
  const snapshots = await listSnapshots(store);
  const ahead = findAhead(snapshots, now);
  const oldest = now - days * dayMs;
  const old = findOld(snapshots.slice(0, snapshots.length - ahead.length), oldest);
  signal.throwIfAborted();
  // Removes the manifests first, because a snapshot without its manifest does not exist.
  await store.remove([...old].map(manifestObject));
  const needed = new Set<string>();
  const damaged: string[] = [];
  const kept = snapshots.filter((name) => !old.has(name));
  let read = 0;
  for (const [index, snapshot] of kept.entries()) {
    signal.throwIfAborted();
    progress(index, kept.length, 'backups anteriores conferidos');
    needed.add(manifestObject(snapshot));
    try {
      for await (const { name } of readManifest(store, snapshot)) needed.add(name);
      read += 1;
    } catch (error) {
      if (error instanceof DamagedBackup) damaged.push(snapshot);
      else if (!(error instanceof NewerBackup)) throw error;
    }
  }
  const problems = { damaged, ahead };
  if (read < kept.length) return { problems, allDeleted: false };
  for (const prefix of objectFolders) {
    const stored = await store.list(prefix, (count) => {
      signal.throwIfAborted();
      progress(count, undefined, 'partes guardadas listadas');
    });
    const unneeded = [...stored.keys()].filter((name) => !needed.has(name));
    for (const [index, name] of unneeded.entries()) {
      signal.throwIfAborted();
      await store.remove([name]);
      progress(index + 1, unneeded.length, 'partes antigas apagadas');
    }
  }
  const marked = await listDamaged(store);
  await unmarkDamaged(
    store,
    [...marked].filter((name) => !needed.has(name)),
  );
  const keptOld = kept.slice(0, -1).some((name) => isOld(name, oldest));
  return { problems, allDeleted: ahead.length === 0 && !keptOld };
}

const isOld = (snapshot: string, oldest: number) => (timeOfSnapshot(snapshot) ?? 0) < oldest;

/** @param snapshots sorted by time, none of them ahead @param oldest epoch milliseconds */
function findOld(snapshots: string[], oldest: number): Set<string> {
  const recentDays = new Set(snapshots.filter((name) => !isOld(name, oldest)).map(dayOf));
  const old = snapshots.slice(0, -1).filter((name) => isOld(name, oldest));
  return new Set(recentDays.size < leastRecentDays ? [] : old);
}
