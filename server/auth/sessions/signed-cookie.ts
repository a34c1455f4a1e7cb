import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '#server/http/constant-time.ts';

/**
 * Returns the value of a cookie that Better Auth signed (`value.signature`, HMAC-SHA-256 in base64), or
 * `undefined` if the cookie is missing or its signature is wrong.
 */
export function readSignedCookie(cookies: string, name: string, secret: string): string | undefined {
  const start = `${name}=`;
  const line = cookies
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start));
  if (line === undefined) return undefined;
  const [value = '', signature = '', ...rest] = decode(line.slice(start.length)).split('.');
  if (value === '' || rest.length > 0) return undefined;
  const right = createHmac('sha256', secret).update(value).digest();
  const given = Buffer.from(signature, 'base64');
  return equalInConstantTime(given, right) ? value : undefined;
}

function decode(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return '';
  }
}
