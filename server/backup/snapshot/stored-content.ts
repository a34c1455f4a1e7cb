import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileStore } from '../../storage/store/file-store.ts';
import { type BackupStore, measured, ObjectMissing } from '../place/backup-store.ts';
import { type Decryption, isDamage } from '../place/encryption.ts';
import { DamagedBackup } from './digested-lines.ts';
import type { NamedObject, SnapshotContent } from './snapshot-format.ts';

/** Contents up to this size are written in one call. */
const smallBytes = 4 * 1024 * 1024;

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

/** Puts a content of a backup into the file store. @throws DamagedBackup when its size differs */
export async function putContent(
  fileStore: FileStore,
  { key, bytes }: SnapshotContent,
  content: Readable,
  signal: AbortSignal,
): Promise<void> {
  if (bytes <= smallBytes) {
    const whole = await buffer(content);
    if (whole.length !== bytes) throw new DamagedBackup(`${key} has another size.`);
    return fileStore.put(key, whole);
  }
  // Removes what an earlier, interrupted restore has left.
  await fileStore.remove([key], '');
  const state = await fileStore.begin(key, bytes);
  const writer = await fileStore.write({ key, state, sizeBytes: bytes }, 0, signal);
  let written = 0;
  try {
    for await (const chunk of content) {
      written += (chunk as Uint8Array).length;
      // Copies the chunk, because the writer may free the memory of what it gets.
      await writer.write(new Uint8Array(chunk as Uint8Array));
    }
    if (written !== bytes) throw new DamagedBackup(`${key} has another size.`);
  } catch (error) {
    await writer.close();
    await fileStore.remove([key], state);
    throw error;
  }
  await writer.finish();
}
