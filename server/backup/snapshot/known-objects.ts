import type { BackupStore } from '../place/backup-store.ts';
import type { ShowProgress } from '../progress.ts';
import { DamagedBackup } from './digested-lines.ts';
import { listSnapshots, readManifest } from './manifests.ts';
import { NewerBackup } from './newer-backup.ts';
import type { NamedObject } from './snapshot-format.ts';

/**
 * Returns the contents and usage records that earlier backups stored and that are still there in their full
 * size, by name. A backup uses them again. A manifest that cannot be read counts for nothing.
 */
export async function readKnownObjects(
  store: BackupStore,
  { progress, signal }: { progress: ShowProgress; signal: AbortSignal },
): Promise<Map<string, NamedObject>> {
  const sizes = new Map([...(await store.list('contents/')), ...(await store.list('usage-records/'))]);
  const known = new Map<string, NamedObject>();
  const snapshots = (await listSnapshots(store)).reverse();
  for (const [index, snapshot] of snapshots.entries()) {
    signal.throwIfAborted();
    progress(index, snapshots.length, 'backups anteriores lidos');
    try {
      for await (const object of readManifest(store, snapshot))
        if (sizes.get(object.name) === object.bytes && !known.has(object.name))
          known.set(object.name, object);
    } catch (error) {
      if (!(error instanceof DamagedBackup || error instanceof NewerBackup)) throw error;
    }
  }
  return known;
}
