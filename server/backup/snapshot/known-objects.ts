import type { BackupStore } from '../place/backup-store.ts';
import { DamagedBackup } from './digested-lines.ts';
import { listSnapshots, readManifest } from './manifests.ts';
import type { NamedObject } from './snapshot-format.ts';

/**
 * Returns the contents and usage records that earlier backups stored and that are still there in their full
 * size, by name. A backup uses them again. A manifest that cannot be read counts for nothing.
 */
export async function readKnownObjects(store: BackupStore): Promise<Map<string, NamedObject>> {
  const sizes = new Map([...(await store.list('contents/')), ...(await store.list('usage-records/'))]);
  const known = new Map<string, NamedObject>();
  for (const snapshot of (await listSnapshots(store)).reverse()) {
    try {
      for await (const object of readManifest(store, snapshot))
        if (sizes.get(object.name) === object.bytes && !known.has(object.name))
          known.set(object.name, object);
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
    }
  }
  return known;
}
