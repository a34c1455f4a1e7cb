import { Readable } from 'node:stream';
import type { BackupStore } from '../place/backup-store.ts';
import type { ShowProgress } from '../progress.ts';
import { DamagedBackup } from './digested-lines.ts';
import { listSnapshots, readManifest } from './manifests.ts';
import { type NamedObject, NewerBackup, sourceObject } from './snapshot-format.ts';

/**
 * Returns the object that holds the copy of a source, such as `contentSource(key)`. `known` is set if an
 * earlier backup stored the object and the object can be used again. Otherwise, `name` is a new name, which
 * no snapshot uses.
 */
export type FindObject = (source: string) => { name: string; known?: NamedObject };

/**
 * Finds the contents and usage records that earlier backups encrypted to the public keys of the next backup.
 * Leaves out objects that are missing, incomplete or marked as damaged, and manifests that cannot be read.
 * @param recipients the fingerprint of the public keys of the next backup
 */
export async function readKnownObjects(
  store: BackupStore,
  recipients: string,
  { progress, signal }: { progress: ShowProgress; signal: AbortSignal },
): Promise<FindObject> {
  const sizes = new Map<string, number>();
  for (const folder of ['contents/', 'usage-records/']) {
    const before = sizes.size;
    const found = await store.list(folder, (count) => {
      signal.throwIfAborted();
      progress(before + count, undefined, 'partes guardadas listadas');
    });
    for (const [name, bytes] of found) sizes.set(name, bytes);
  }
  const damaged = await listDamaged(store);
  /** The objects of all snapshots, by name; undefined for one that cannot be used again. */
  const objects = new Map<string, NamedObject | undefined>();
  const snapshots = await listSnapshots(store);
  for (const [index, snapshot] of snapshots.entries()) {
    signal.throwIfAborted();
    progress(index, snapshots.length, 'backups anteriores lidos');
    try {
      for await (const object of readManifest(store, snapshot)) {
        const isThere = sizes.get(object.name) === object.bytes && !damaged.has(object.name);
        objects.set(object.name, isThere ? object : objects.get(object.name));
      }
    } catch (error) {
      if (!(error instanceof DamagedBackup || error instanceof NewerBackup)) throw error;
    }
  }
  return (source) => {
    // A new object must not replace a damaged one, which may become readable again.
    for (let number = 1; ; number += 1) {
      const name = sourceObject(source, recipients, number);
      const known = objects.get(name);
      if (known) return { name, known };
      if (!objects.has(name)) return { name };
    }
  };
}

/**
 * A backup reuses the objects of earlier backups without reading them. The marks tell it which of these
 * objects are damaged, so that it stores their contents again.
 */

const folder = 'damaged/';

/** Marks objects as damaged, by their names. @throws StartError when nothing can be written */
export async function markDamaged(store: BackupStore, names: Iterable<string>): Promise<void> {
  for (const name of names) await store.write(folder + name, Readable.from([]));
}

/** Returns the names of the objects that are marked as damaged. */
export async function listDamaged(store: BackupStore): Promise<Set<string>> {
  const marks = await store.list(folder);
  return new Set([...marks.keys()].map((mark) => mark.slice(folder.length)));
}

/** Removes the marks of objects. */
export async function unmarkDamaged(store: BackupStore, names: Iterable<string>): Promise<void> {
  await store.remove([...names].map((name) => folder + name));
}
