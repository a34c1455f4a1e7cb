import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { currentName } from '../../database/migrations/migrations.ts';
import { type BackupStore, measured, ObjectMissing } from '../place/backup-store.ts';
import { type Decryption, isDamage } from '../place/encryption.ts';
import type { ShowProgress } from '../progress.ts';
import { DamagedBackup, readLines } from './digested-lines.ts';
import {
  type NamedObject,
  requireKnownVersion,
  type SnapshotContent,
  type SnapshotHeader,
  type SnapshotLine,
  type SnapshotUsageRecords,
  snapshotLine,
  snapshotObject,
} from './snapshot-format.ts';

/** Everything in a snapshot except its rows; `tables` has the digests of the rows. */
export type SnapshotContents = {
  header: SnapshotHeader;
  tables: Map<string, { rows: number; digest: string }>;
  contents: SnapshotContent[];
  usageRecords: SnapshotUsageRecords[];
  /** Keys of contents that were deleted while the backup was made. */
  leftOut: string[];
};

/** How a snapshot is read. `signal` stops the reading. */
export type SnapshotSource = { store: BackupStore; decrypt: Decryption; signal: AbortSignal };

/**
 * Reads the lines of a snapshot. The caller must not trust any of them until the last one has been read.
 * @throws DamagedBackup when the snapshot is missing, incomplete or altered; StartError when it is encrypted
 * for another key; NewerBackup; the reason of `signal` when it is aborted
 */
export async function* readSnapshot(
  { store, decrypt, signal }: SnapshotSource,
  name: string,
): AsyncGenerator<SnapshotLine> {
  let lines = 0;
  try {
    const gunzip = createGunzip();
    // The callback ignores errors, because the loop below gets them, too.
    pipeline(await decrypt(await store.read(snapshotObject(name))), gunzip, () => {});
    for await (const line of readLines(gunzip)) {
      signal.throwIfAborted();
      if (lines === 0) requireKnownVersion(line);
      lines += 1;
      const { data } = snapshotLine.safeParse(line);
      if (!data) throw new DamagedBackup('A line of the snapshot is malformed.');
      yield data;
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof ObjectMissing || isDamage(cause)
      ? new DamagedBackup('The snapshot is missing or altered.', { cause })
      : cause;
  }
}

/**
 * Reads a whole snapshot, and returns everything but the rows.
 * @throws like `readSnapshot`; StartError when a test version has made it
 */
export async function readSnapshotContents(
  source: SnapshotSource,
  name: string,
  progress: ShowProgress,
): Promise<SnapshotContents> {
  let lines = 0;
  let header: SnapshotHeader | undefined;
  const found: Omit<SnapshotContents, 'header'> = {
    tables: new Map(),
    contents: [],
    usageRecords: [],
    leftOut: [],
  };
  for await (const line of readSnapshot(source, name)) {
    lines += 1;
    progress(lines, undefined, 'linhas do backup lidas');
    if ('header' in line) header = line.header;
    else if ('tableEnd' in line) found.tables.set(line.tableEnd, { rows: line.rows, digest: line.digest });
    else if ('content' in line) found.contents.push(line.content);
    else if ('usageRecords' in line) found.usageRecords.push(line.usageRecords);
    else if ('leftOut' in line) found.leftOut.push(line.leftOut);
  }
  if (!header) throw new DamagedBackup('The header is missing.');
  return { header: { ...header, lastMigration: currentName(header.lastMigration) }, ...found };
}

/**
 * Reads an object of a backup, decrypted.
 * @throws DamagedBackup when the object is missing or is not what was stored, at the latest at the end of the
 * stream
 */
export async function readStored(
  store: BackupStore,
  decrypt: Decryption,
  { name, bytes, sha256 }: NamedObject,
): Promise<Readable> {
  const damaged = (cause: unknown) =>
    cause instanceof ObjectMissing || isDamage(cause)
      ? new DamagedBackup(`${name} is missing or altered.`, { cause })
      : cause;
  const read = { bytes: 0, sha256: '' };
  async function* plain() {
    try {
      yield* await decrypt(measured(await store.read(name), read));
    } catch (error) {
      throw damaged(error);
    }
    if (read.bytes !== bytes || read.sha256 !== sha256) throw new DamagedBackup(`${name} is altered.`);
  }
  return Readable.from(plain());
}
