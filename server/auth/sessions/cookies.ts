import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '#server/http/tokens.ts';

/** With https, the names begin with `__Host-`, so that other hosts cannot set the cookies. */
export const cookiePrefix = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-acolhe' : 'acolhe';

export const sessionCookieName = (publicUrl: string) => `${cookiePrefix(publicUrl)}-session`;

/** The cookies of Better Auth: the session, a sign-in that waits for its second factor, Google. */
const ofBetterAuth = /^(?:__Host-)?acolhe(?:-session|\.two_factor|\.state)$/;
/** The cookies that this program sets. A header can have thousands of other cookies. */
const ofThisSite =
  /(?:^|; ?)((?:__Host-)?acolhe(?:-session|-known|-verification|\.two_factor|\.state))=([^;]*)/g;
/** The longest of these cookies has about 120 characters. */
const longestValue = 500;

/**
 * Returns the cookies that Better Auth may see, as a header. Better Auth decodes every cookie of a request,
 * and other programs on the same host may set many.
 * @returns undefined when there are none
 */
function cookiesForBetterAuth(header: string | undefined): string | undefined {
  const pairs = [...findCookies(header, (name) => ofBetterAuth.test(name))];
  return pairs.length === 0 ? undefined : pairs.map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Returns the value of a cookie as the browser sent it, without decoding it. */
export const readCookie = (header: string | undefined, name: string) =>
  findCookies(header, (one) => one === name).get(name);

/** Finds cookies by name in one pass. The first cookie of a name wins. */
function findCookies(header = '', isWanted: (name: string) => boolean): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of header.matchAll(ofThisSite))
    if (isWanted(name) && !found.has(name) && value.length <= longestValue) found.set(name, value);
  return found;
}

/**
 * Returns the value of a cookie that Better Auth signed (`value.signature`, HMAC-SHA-256 in base64), or
 * `undefined` if the cookie is missing or its signature is wrong.
 */
export function readSignedCookie(header: string, name: string, secret: string): string | undefined {
  const [value = '', signature = '', ...rest] = decode(readCookie(header, name) ?? '').split('.');
  if (value === '' || rest.length > 0) return undefined;
  const right = createHmac('sha256', secret).update(value).digest();
  const given = Buffer.from(signature, 'base64');
  return equalInConstantTime(given, right) ? value : undefined;
}

/** Signs a value as Better Auth signs its cookies. */
export const signedValue = (value: string, secret: string) =>
  encodeURIComponent(`${value}.${createHmac('sha256', secret).update(value).digest('base64')}`);

/** Returns a `Set-Cookie` line for a cookie that no script can read. */
export function cookieLine(
  publicUrl: string,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function decode(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return '';
  }
}

/** The header that tells Better Auth the client's IP address; clients cannot set it. */
export const clientAddressHeader = 'x-client-address';
export const longestUserAgent = 500;

/**
 * The headers that Better Auth may see: its own cookies, the user agent, and the client's IP address as this
 * server determined it. Better Auth does not see `X-Forwarded-For`, because clients can forge it.
 */
export function authHeaders(request: {
  headers: { cookie?: string | undefined; 'user-agent'?: string | undefined };
  ip: string;
}): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  const cookie = cookiesForBetterAuth(request.headers.cookie);
  if (cookie !== undefined) headers.set('cookie', cookie);
  const userAgent = request.headers['user-agent'];
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, longestUserAgent));
  return headers;
}
