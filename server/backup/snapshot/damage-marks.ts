import { Readable } from 'node:stream';
import type { BackupStore } from '../place/backup-store.ts';

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
