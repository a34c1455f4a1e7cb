import { createHmac } from 'node:crypto';

/**
 * Returns a code of an authenticator (RFC 6238).
 * @param uri the `otpauth:` URI
 * @param step 0 for the current 30 s; 1 for the next 30 s, if the test needs another code: each works once
 */
export function codeOf(uri: string, step = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const key = fromBase32(new URL(uri).searchParams.get('secret') ?? '');
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

export function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text.replaceAll('=', '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
