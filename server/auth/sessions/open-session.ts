import { createHmac } from 'node:crypto';
import type { AppContext } from '#server/context.ts';
import { equalInConstantTime } from '#server/http/constant-time.ts';
import type { Session } from './session.ts';
import { findSessionRow } from './session-row.ts';

/** With https the name has the prefix that keeps other hosts from setting the cookie. */
export const sessionCookieName = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-acolhe-session' : 'acolhe-session';

/**
 * Finds the session of a request's cookie with one signature check and one query, because every call of a
 * signed-in user needs it. Valid sessions only; Better Auth handles every other cookie.
 */
export function createOpenSessions({ database, authSecret, environment }: AppContext) {
  const start = `${sessionCookieName(environment.publicUrl)}=`;

  return async (cookies: string): Promise<Session | undefined> => {
    const line = cookies
      .split(';')
      .map((one) => one.trim())
      .find((one) => one.startsWith(start));
    const token = line && signedValue(line.slice(start.length), authSecret);
    return token ? findSessionRow(database, { token }) : undefined;
  };
}

/**
 * Returns the value of a cookie that Better Auth signed (`value.signature`, HMAC-SHA-256 in base64), or
 * `undefined` if the signature is wrong.
 */
function signedValue(cookie: string, secret: string): string | undefined {
  const [value = '', signature = '', ...rest] = decode(cookie).split('.');
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
