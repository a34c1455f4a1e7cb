import { type BackupStore, objectFolders } from './place/backup-store.ts';
import type { ShowProgress } from './progress.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import { listSnapshots, readManifest } from './snapshot/manifests.ts';
import { NewerBackup } from './snapshot/newer-backup.ts';
import { manifestObject, timeOfSnapshot } from './snapshot/snapshot-format.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * Deletes snapshots that are older than `days`, except the newest one, and then everything that no remaining
 * snapshot needs. Nothing else may be writing to the store.
 * @returns the snapshots whose manifest is damaged: until they are too old themselves, nothing is deleted that
 * they could need. The same holds for snapshots of a newer program.
 */
export async function removeOldBackups(
  store: BackupStore,
  days: number,
  now = Date.now(),
  progress: ShowProgress = () => {},
): Promise<string[]> {
  const snapshots = await listSnapshots(store);
  const isOld = (name: string) => (timeOfSnapshot(name) ?? now) < now - days * dayMs;
  const old = new Set(snapshots.slice(0, -1).filter(isOld));
  // The manifest first: without it there is no snapshot.
  await store.remove([...old].map(manifestObject));
  const needed = new Set<string>();
  const damaged: string[] = [];
  const kept = snapshots.filter((name) => !old.has(name));
  let read = 0;
  for (const [index, snapshot] of kept.entries()) {
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
  if (read < kept.length) return damaged;
  for (const prefix of objectFolders) {
    const unneeded = [...(await store.list(prefix)).keys()].filter((name) => !needed.has(name));
    for (const [index, name] of unneeded.entries()) {
      await store.remove([name]);
      progress(index + 1, unneeded.length, 'partes antigas apagadas');
    }
  }
  return [];
}
