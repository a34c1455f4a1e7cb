import type { AppContext } from '#server/context.ts';
import type { Session } from './session.ts';
import { findSessionRow } from './session-row.ts';
import { readSignedCookie } from './signed-cookie.ts';

/** With https, the names begin with `__Host-`, so that other hosts cannot set the cookies. */
export const cookiePrefix = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-acolhe' : 'acolhe';

export const sessionCookieName = (publicUrl: string) => `${cookiePrefix(publicUrl)}-session`;

/**
 * Finds the session of a request's cookie with one signature check and one query, because every call of a
 * signed-in user needs it. Valid sessions only; Better Auth handles every other cookie.
 */
export function createOpenSessions({ database, authSecret, environment }: AppContext) {
  const name = sessionCookieName(environment.publicUrl);

  return async (cookies: string): Promise<Session | undefined> => {
    const token = readSignedCookie(cookies, name, authSecret);
    return token ? findSessionRow(database, { token }) : undefined;
  };
}
