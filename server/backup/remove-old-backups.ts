import { type BackupStore, objectFolders } from './place/backup-store.ts';
import { readDamaged, unmarkDamaged } from './snapshot/damage-marks.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import { listSnapshots, readManifest } from './snapshot/manifests.ts';
import { manifestObject, timeOfSnapshot } from './snapshot/snapshot-format.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * Deletes snapshots that are older than `days`, except the newest one, and then everything that no remaining
 * snapshot needs. Nothing else may be writing to the store.
 * @returns the snapshots whose manifest is damaged: until they are too old themselves, nothing is deleted that
 * they could need
 */
export async function removeOldBackups(
  store: BackupStore,
  days: number,
  now = Date.now(),
): Promise<string[]> {
  const snapshots = await listSnapshots(store);
  const isOld = (name: string) => (timeOfSnapshot(name) ?? now) < now - days * dayMs;
  const old = new Set(snapshots.slice(0, -1).filter(isOld));
  // The manifest first: without it there is no snapshot.
  await store.remove([...old].map(manifestObject));
  const needed = new Set<string>();
  const damaged: string[] = [];
  for (const snapshot of snapshots.filter((name) => !old.has(name))) {
    needed.add(manifestObject(snapshot));
    try {
      for await (const { name } of readManifest(store, snapshot)) needed.add(name);
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      damaged.push(snapshot);
    }
  }
  if (damaged.length > 0) return damaged;
  for (const prefix of objectFolders) {
    const unneeded = [...(await store.list(prefix)).keys()].filter((name) => !needed.has(name));
    await store.remove(unneeded);
  }
  const marked = await readDamaged(store);
  await unmarkDamaged(
    store,
    [...marked].filter((name) => !needed.has(name)),
  );
  return [];
}
