import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** The folders whose objects can be large. In them, an interrupted write can leave an incomplete object. */
export const objectFolders = ['snapshots/', 'contents/', 'usage-records/'] as const;

/** What was stored: its size, and its SHA-256 in hexadecimal. */
export type StoredObject = { bytes: number; sha256: string };

/** A store for the objects of backups. The objects have names such as `contents/ab/abcdef.age`. */
export type BackupStore = {
  /** The folder or bucket, for messages. */
  destination: string;
  /**
   * Checks that this process can use the store, and changes nothing. A bucket shows only at the first write
   * whether it accepts writes.
   * @throws StartError
   */
  check(): Promise<void>;
  /**
   * Returns the sizes in bytes of all objects whose name begins with `prefix`, which ends with a slash.
   * @param found called with the count so far, because listing can take minutes; it can throw to stop the
   * listing
   */
  list(prefix: string, found?: (count: number) => void): Promise<Map<string, number>>;
  /** Stores an object. Once this returns, the object is complete and durable; before, it does not exist. */
  write(name: string, content: Readable): Promise<StoredObject>;
  /** @throws ObjectMissing, also while the result is read */
  read(name: string): Promise<Readable>;
  remove(names: Iterable<string>): Promise<void>;
  /** Removes the incomplete objects of killed processes. Call it only while no other process writes. */
  removeUnfinished(): Promise<void>;
};

/** Thrown when the store has no such object, or when its disk cannot read the object. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
  constructor(object: string, options?: ErrorOptions) {
    super(`${object} is missing.`, options);
  }
}

/** Counts and hashes a stream while it is read. */
export async function* measured(content: AsyncIterable<Uint8Array>, result: StoredObject) {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    result.bytes += chunk.length;
    yield chunk;
  }
  result.sha256 = hash.digest('hex');
}
