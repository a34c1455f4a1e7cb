import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AppContext } from '../context.ts';
import type { Session } from './auth.ts';
import { sessionCookieName } from './better-auth.ts';

/**
 * Finds the session that a request's cookie names, by one signature and one query: every call of a signed-in
 * person begins with it. It knows open sessions only; about any other cookie, Better Auth has the word.
 */
export function createOpenSessions({ database, authSecret, environment }: AppContext) {
  const start = `${sessionCookieName(environment.publicUrl)}=`;

  return async (cookies: string): Promise<Session | undefined> => {
    const line = cookies
      .split(';')
      .map((one) => one.trim())
      .find((one) => one.startsWith(start));
    const token = line && signedValue(line.slice(start.length), authSecret);
    if (!token) return undefined;
    const row = await database
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .select(['sessions.id', 'sessions.createdAt', 'sessions.expiresAt', 'users.id as uid', 'users.email'])
      .select(['users.emailVerified', 'users.twoFactorEnabled', 'users.member'])
      .where('sessions.token', '=', token)
      .executeTakeFirst();
    if (!row || epochMs(row.expiresAt) <= Date.now()) return undefined;
    return {
      id: row.id,
      uid: row.uid,
      email: row.email,
      emailVerified: Boolean(row.emailVerified),
      secondFactor: Boolean(row.twoFactorEnabled),
      member: row.member,
      startedAt: epochMs(row.createdAt),
      expiresAt: epochMs(row.expiresAt),
    };
  };
}

/** The value of a cookie that Better Auth signed (`value.signature`, HMAC-SHA-256 in base64); else `undefined`. */
function signedValue(cookie: string, secret: string): string | undefined {
  const [value = '', signature = '', ...rest] = decode(cookie).split('.');
  if (value === '' || rest.length > 0) return undefined;
  const right = createHmac('sha256', secret).update(value).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === right.length && timingSafeEqual(given, right) ? value : undefined;
}

function decode(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return '';
  }
}

/** Better Auth's times: text in SQLite, a Date from PostgreSQL. */
function epochMs(time: unknown): number {
  return new Date(time as string | Date).getTime();
}
