import { createHmac, timingSafeEqual } from 'node:crypto';

/** Compares secrets. The duration reveals whether their lengths differ, but not where their bytes differ. */
export function equalInConstantTime(given: string | Uint8Array, expected: string | Uint8Array): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Writes and reads tokens signed with HMAC-SHA-256. Only servers that know `authSecret` can make them. */
export function createSignedTokens<Content>(authSecret: string, purpose: string) {
  const key = createHmac('sha256', authSecret).update(purpose).digest('base64url');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    write(content: Content): string {
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${text}.${sign(text)}`;
    },
    /** Returns the content of the token; `undefined` when its signature is not valid for this purpose. */
    read(token: string): Content | undefined {
      const [text = '', signature = '', ...rest] = token.split('.');
      if (rest.length > 0 || !equalInConstantTime(signature, sign(text))) return undefined;
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as Content;
    },
  };
}
