import type { AppContext } from '#server/context.ts';
import { readSignedCookie, sessionCookieName } from './cookies.ts';
import type { Session } from './session.ts';
import { findSessionRow } from './session-row.ts';

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
