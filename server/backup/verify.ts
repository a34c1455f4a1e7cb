import type { Database } from '../database/connect.ts';
import { StartError } from '../environment.ts';
import { type BackupStore, measured, ObjectMissing, type StoredObject } from './place/backup-store.ts';
import type { ShowProgress } from './progress.ts';
import { noteCheck } from './runs.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import { markDamaged } from './snapshot/known-objects.ts';
import { readManifest } from './snapshot/manifests.ts';
import type { NamedObject } from './snapshot/snapshot-format.ts';
import { timeText } from './snapshot/snapshot-times.ts';

/**
 * Reads every byte of a snapshot and compares it with the manifest. No key is needed. Marks damaged objects,
 * so that the next backup stores their contents again.
 * @param options.progress called with the number of checked objects and the number of all objects
 * @returns `damaged`: the names of objects that are missing or altered; `isMarked`: false if these objects
 * could not be marked, because the destination does not accept writes
 * @throws DamagedBackup when the manifest itself is damaged; NewerBackup; the reason of `signal` when it is
 * aborted
 */
export async function verifySnapshot(
  store: BackupStore,
  snapshot: string,
  { progress = () => {}, signal }: { progress?: ShowProgress; signal?: AbortSignal } = {},
): Promise<{ objects: number; bytes: number; damaged: string[]; isMarked: boolean }> {
  const objects: NamedObject[] = [];
  for await (const object of readManifest(store, snapshot)) objects.push(object);
  const damaged: string[] = [];
  let bytes = 0;
  for (const [index, object] of objects.entries()) {
    const stored = await measure(store, object.name, signal);
    bytes += stored?.bytes ?? 0;
    if (stored?.sha256 !== object.sha256) damaged.push(object.name);
    progress(index + 1, objects.length);
  }
  const isMarked = await markDamaged(store, damaged).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof StartError)) throw error;
      return false;
    },
  );
  return { objects: objects.length, bytes, damaged, isMarked };
}

/** Returns the size and digest of a stored object; undefined if it is missing. */
async function measure(
  store: BackupStore,
  name: string,
  signal: AbortSignal | undefined,
): Promise<StoredObject | undefined> {
  signal?.throwIfAborted();
  const stored = { bytes: 0, sha256: '' };
  try {
    for await (const _ of measured(await store.read(name), stored)) signal?.throwIfAborted();
    return stored;
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined;
    throw error;
  }
}

/**
 * Reads every byte of a snapshot, and notes in the database what it has found.
 * @throws StartError when something is damaged; the reason of `signal` when it is aborted
 */
export async function checkSnapshot(
  database: Database,
  store: BackupStore,
  snapshot: string,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  const damaged = await verifySnapshot(store, snapshot, { signal }).then(
    (found) => found.damaged,
    (error: unknown) => {
      if (!(error instanceof DamagedBackup)) throw error;
      return ['a lista das suas partes'];
    },
  );
  await noteCheck(database, snapshot, damaged.length, now);
  if (damaged.length > 0)
    throw new StartError(`o backup de ${timeText(snapshot)} está danificado: ${damaged.join(', ')}`);
}
