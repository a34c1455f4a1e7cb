import { Readable } from 'node:stream';
import { type BackupStore, ObjectMissing } from '../place/backup-store.ts';
import { createLineWriter, DamagedBackup, readLines } from './digested-lines.ts';
import {
  formatVersion,
  manifestLine,
  manifestObject,
  type NamedObject,
  requireKnownVersion,
  snapshotObject,
  timeOfSnapshot,
} from './snapshot-format.ts';

/**
 * Returns the names of the snapshots, oldest first. An incomplete one has no manifest, because its backup was
 * interrupted, or because the manifest was lost.
 * @param found called with the number of objects found so far
 */
export async function findSnapshots(
  store: BackupStore,
  found?: (count: number) => void,
): Promise<{ complete: string[]; incomplete: string[] }> {
  const objects = await store.list('snapshots/', found);
  const names = [...new Set([...objects.keys()].map((name) => name.split('/')[1] ?? ''))]
    .filter((snapshot) => timeOfSnapshot(snapshot) !== undefined)
    .sort();
  const complete = names.filter((snapshot) => objects.has(manifestObject(snapshot)));
  const incomplete = names.filter((snapshot) => !complete.includes(snapshot));
  return { complete, incomplete: incomplete.filter((snapshot) => objects.has(snapshotObject(snapshot))) };
}

/** Returns the names of the complete snapshots, oldest first. */
export const listSnapshots = async (store: BackupStore): Promise<string[]> =>
  (await findSnapshots(store)).complete;

/** Writes the manifest, which makes a snapshot complete. */
export async function writeManifest(
  store: BackupStore,
  snapshot: string,
  { createdAt, program, objects }: { createdAt: string; program: string; objects: Iterable<NamedObject> },
): Promise<void> {
  async function* lines() {
    const waiting: string[] = [];
    const writer = createLineWriter(async (line) => void waiting.push(line));
    await writer.add({ manifest: { formatVersion, snapshot, createdAt, program } });
    for (const object of objects) {
      await writer.add({ object });
      yield* waiting.splice(0);
    }
    await writer.end();
    yield* waiting;
  }
  await store.write(manifestObject(snapshot), Readable.from(lines()));
}

/**
 * Reads the names, sizes and digests of the objects of a snapshot.
 * @throws DamagedBackup; NewerBackup
 */
export async function* readManifest(store: BackupStore, snapshot: string): AsyncGenerator<NamedObject> {
  let lines = 0;
  try {
    for await (const line of readLines(await store.read(manifestObject(snapshot)))) {
      if (lines === 0) requireKnownVersion(line);
      lines += 1;
      const { data } = manifestLine.safeParse(line);
      if (!data) throw new DamagedBackup('A line of the manifest is malformed.');
      if ('object' in data) yield data.object;
      else if (data.manifest.snapshot !== snapshot)
        throw new DamagedBackup('The manifest is of another one.');
    }
  } catch (cause) {
    throw cause instanceof ObjectMissing ? new DamagedBackup('The manifest is missing.', { cause }) : cause;
  }
}
