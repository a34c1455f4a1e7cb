import { sha256 } from '@noble/hashes/sha2.js';
import { StorageError } from './storage-error.ts';

/** The size of a slice, small enough that the page stays responsive while a slow phone hashes one. */
const sliceBytes = 262_144;

/**
 * Computes the SHA-256 of a file in slices. It reads each slice once and never holds the whole file in
 * memory.
 */
export function createFileDigest(file: Blob, path: string) {
  const hash = sha256.create();
  let readBytes = 0;
  let result: string | undefined;
  let underWay: Promise<void> = Promise.resolve();

  async function read(end: number, signal: AbortSignal) {
    while (readBytes < end) {
      signal.throwIfAborted();
      const next = Math.min(readBytes + sliceBytes, end);
      hash.update(await readSlice(file, readBytes, next, path));
      readBytes = next;
    }
  }

  /** Hashes the bytes before the offset `end`. @throws StorageError `cannot-slice-blob` */
  function readTo(end: number, signal: AbortSignal): Promise<void> {
    // Run one read at a time: two parallel reads would hash the same slice twice.
    const reading = underWay.then(() => read(end, signal));
    underWay = reading.catch(() => {});
    return reading;
  }

  return {
    readTo,
    /** Returns the digest of the whole file in base64. @throws StorageError `cannot-slice-blob` */
    async finish(signal: AbortSignal): Promise<string> {
      await readTo(file.size, signal);
      result ??= btoa(String.fromCharCode(...hash.digest()));
      return result;
    },
  };
}

async function readSlice(file: Blob, start: number, end: number, path: string): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.slice(start, end).arrayBuffer());
  } catch (cause) {
    throw new StorageError('cannot-slice-blob', path, { cause });
  }
  // Reading a file that has become shorter since the user chose it causes no error, so compare the lengths.
  if (bytes.length !== end - start) throw new StorageError('cannot-slice-blob', path);
  return bytes;
}
