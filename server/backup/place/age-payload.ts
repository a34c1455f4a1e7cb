/** The payload of an age file, which follows the header: https://c2sp.org/age#payload */
import { createCipheriv, hkdfSync } from 'node:crypto';
import { release } from '../../storage/store/release.ts';

/** The header is followed by a nonce, from which the key of the payload is derived. */
export const nonceBytes = 16;
/** An empty payload is a single tag. */
export const tagBytes = 16;
const chunkBytes = 64 * 1024;

/**
 * Yields the encrypted payload, chunk by chunk.
 * @param fileKey the key that the header contains, encrypted for each recipient
 * @param nonce the first `nonceBytes` bytes after the header
 */
export async function* encryptPayload(
  content: AsyncIterable<Uint8Array>,
  { fileKey, nonce }: { fileKey: Uint8Array; nonce: Uint8Array },
) {
  const key = new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
  let index = 0;
  const encrypt = (chunk: Uint8Array, isLast: boolean) => {
    const options = { authTagLength: tagBytes };
    const cipher = createCipheriv('chacha20-poly1305', key, chunkNonce(index++, isLast), options);
    const encrypted = cipher.update(chunk);
    cipher.final();
    const result = Buffer.concat([encrypted, cipher.getAuthTag()]);
    release(encrypted);
    return result;
  };

  const chunk = new Uint8Array(chunkBytes);
  let filled = 0;
  for await (const part of content)
    for (let read = 0; read < part.length; ) {
      // A full chunk is encrypted only when another byte follows, because the last chunk must not be empty.
      if (filled === chunkBytes) {
        yield encrypt(chunk, false);
        filled = 0;
      }
      const bytes = part.subarray(read, read + chunkBytes - filled);
      chunk.set(bytes, filled);
      filled += bytes.length;
      read += bytes.length;
    }
  yield encrypt(chunk.subarray(0, filled), true);
}

/** Returns the nonce of a chunk: its index in 11 bytes, and a byte that is 1 for the last chunk. */
function chunkNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
