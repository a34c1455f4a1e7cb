import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { lazily } from '../../concurrency.ts';
import { StartError } from '../../environment.ts';

const age = lazily(() => import('age-encryption'));

/** Encrypts streams in the format of age (https://age-encryption.org/v1), which `age -d` decrypts, too. */
export type Encryption = (content: AsyncIterable<Uint8Array>) => Promise<Readable>;
/**
 * Decrypts streams. The decrypted stream fails before the first part (64 KiB) that contains an altered byte,
 * and at its end if a part is missing.
 */
export type Decryption = (content: AsyncIterable<Uint8Array>) => Promise<Readable>;

/**
 * Creates a function that encrypts streams for these public keys.
 * @throws StartError when a public key is not valid
 */
export async function createEncryption(recipients: readonly string[]): Promise<Encryption> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  try {
    for (const recipient of recipients) encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new StartError('BACKUP_RECIPIENT tem uma chave pública com erro de digitação.', { cause });
  }
  return async (content) => fromWeb(await encrypter.encrypt(toWeb(content)));
}

/** Returns 16 hexadecimal digits that identify a set of public keys, whatever their order. */
export const fingerprintOfRecipients = (recipients: readonly string[]) =>
  createHash('sha256')
    .update([...new Set(recipients)].sort().join('\n'))
    .digest('hex')
    .slice(0, 16);

/**
 * @param identities the private keys, one on each line, as in the file of `age-keygen`; other lines are
 * ignored. Each key decrypts what is encrypted for that key.
 * @throws StartError when there is no private key, or one is not valid
 */
export async function createDecryption(identities: string): Promise<Decryption> {
  const lines = identities.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  if (keys.length === 0)
    throw new StartError('O arquivo da chave não tem uma chave privada, que começa com AGE-SECRET-KEY-1.');
  try {
    for (const key of keys) decrypter.addIdentity(key);
  } catch {
    // The error gets no cause, because the message of the cause could repeat the key.
    throw new StartError('O arquivo da chave tem uma chave privada com erro de digitação.');
  }
  return async (content) => {
    try {
      return fromWeb(await decrypter.decrypt(toWeb(content)));
    } catch (cause) {
      if (cause instanceof Error && cause.message.startsWith('no identity matched'))
        throw new StartError('Esta chave privada não abre este backup: ele foi feito para outra chave.', {
          cause,
        });
      throw cause;
    }
  };
}

/** Creates a pair of keys. */
export async function createKeyPair(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

type WebStream = globalThis.ReadableStream<Uint8Array>;
// With Readable.toWeb and Readable.fromWeb, a stream that fails during a read would end the process.
const toWeb = (content: AsyncIterable<Uint8Array>) => ReadableStream.from(content) as unknown as WebStream;
const fromWeb = (stream: WebStream) => Readable.from(stream as unknown as AsyncIterable<Uint8Array>);

/** True for an error of decryption or decompression; false for an error of the disk or the network. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StartError || '$metadata' in error) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code.startsWith('Z_');
}
