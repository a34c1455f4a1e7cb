import { Readable } from 'node:stream';
import { type BackupStore, ObjectMissing } from '../place/backup-store.ts';
import { createLineWriter, DamagedBackup, readLines } from './digested-lines.ts';
import {
  formatVersion,
  manifestLine,
  manifestObject,
  type NamedObject,
  requireKnownVersion,
  timeOfSnapshot,
} from './snapshot-format.ts';

/**
 * Returns the names of the complete snapshots, oldest first.
 * @param found called with the number of objects found so far
 */
export async function listSnapshots(store: BackupStore, found?: (count: number) => void): Promise<string[]> {
  const names = [...(await store.list('snapshots/', found)).keys()].map((name) => name.split('/'));
  return names
    .filter(([, snapshot = '', file]) => file === 'manifest.jsonl' && timeOfSnapshot(snapshot) !== undefined)
    .map(([, snapshot = '']) => snapshot)
    .sort();
}

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
