import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** A key of AES-256. */
export type Key = Buffer;

export const newKey = (): Key => randomBytes(keyBytes);

/** Identifies a key without revealing it. */
export const fingerprintOf = (key: Key) =>
  createHash('sha256').update('acolhe diary key\0').update(key).digest('hex').slice(0, 16);

/**
 * Encrypts with AES-256-GCM, under a random nonce.
 * @param about what the data belongs to; `open` needs the same, so sealed data cannot be moved to another row
 * @returns nonce, encrypted data and authentication tag, in base64url
 */
export function seal(key: Key, data: Buffer, about: readonly (string | number)[]): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(additionalData(about));
  return Buffer.concat([nonce, cipher.update(data), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** Decrypts what `seal` made. @throws Unopenable when the data is damaged, or the key or `about` differs */
export function open(key: Key, sealed: string, about: readonly (string | number)[]): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(additionalData(about))
      .setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new Unopenable('The sealed data cannot be opened.', { cause });
  }
}

export class Unopenable extends Error {}

const additionalData = (about: readonly (string | number)[]) => Buffer.from(about.join('\0'));
