import { Readable } from 'node:stream';
import { type BackupStore, measured, ObjectMissing } from '../place/backup-store.ts';
import { type Decryption, isDamage } from '../place/encryption.ts';
import { DamagedBackup } from './digested-lines.ts';
import type { NamedObject } from './snapshot-format.ts';

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
