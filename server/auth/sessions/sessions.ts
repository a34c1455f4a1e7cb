import { randomBytes, randomUUID } from 'node:crypto';
import type { OpenSession } from '#contract/account.ts';
import type { StoredMember } from '#contract/user.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import type { CallBetterAuth } from '../call-better-auth.ts';
import { hashOfToken } from '../hashed-tokens.ts';
import { cookieLine, longestUserAgent, readSignedCookie, sessionCookieName, signedValue } from './cookies.ts';
import {
  findSessionRow,
  headersWith,
  openSessionOf,
  type Session,
  sessionSeconds,
  type WithCookies,
} from './session.ts';

/**
 * Ends the other sessions of the user and makes their browsers unknown. Gives this session a new token, so
 * that a copy of its cookie ends, too.
 * @returns the `Set-Cookie` line
 */
export async function renewSession(
  { environment: { publicUrl }, authSecret }: AppContext,
  transaction: Database,
  { id, uid, expiresAt }: Session,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await transaction.deleteFrom('sessions').where('userId', '=', uid).where('id', '!=', id).execute();
  await transaction
    .updateTable('sessions')
    .set({ token: hashOfToken(token) })
    .where('id', '=', id)
    .execute();
  await transaction.deleteFrom('knownBrowsers').where('uid', '=', uid).execute();
  return cookieLine(publicUrl, {
    name: sessionCookieName(publicUrl),
    value: signedValue(token, authSecret),
    maxAgeSeconds: Math.floor((expiresAt - Date.now()) / 1_000),
  });
}

/** What a session stores about its browser. */
export type Browser = { ip: string; headers: { 'user-agent'?: string | undefined } };

/** Begins a session as Better Auth does, for a sign-in that Better Auth does not know. */
export async function beginSession(
  { environment: { publicUrl }, authSecret }: AppContext,
  transaction: Database,
  { uid, strong }: { uid: string; strong: boolean },
  { ip, headers }: Browser,
): Promise<WithCookies<{ id: string; uid: string }>> {
  const id = randomUUID();
  const token = randomBytes(24).toString('base64url');
  const now = new Date().toISOString();
  const expiresAt = new Date(Date.now() + sessionSeconds * 1_000).toISOString();
  await transaction
    .insertInto('sessions')
    .values({
      ...{ id, token: hashOfToken(token), userId: uid, strong },
      // The cast is needed because elsewhere, only Better Auth writes times. Both databases accept ISO times.
      ...({ createdAt: now, updatedAt: now, expiresAt } as object),
      ipAddress: ip,
      userAgent: headers['user-agent']?.slice(0, longestUserAgent) ?? '',
    })
    .execute();
  const name = sessionCookieName(publicUrl);
  const value = signedValue(token, authSecret);
  const cookie = cookieLine(publicUrl, { name, value, maxAgeSeconds: sessionSeconds });
  return { result: { id, uid }, cookies: [cookie] };
}

export type Sessions = ReturnType<typeof createSessions>;

/** Creates the operations on sessions: find, list, end. */
export function createSessions(context: AppContext, callBetterAuth: CallBetterAuth) {
  const { database } = context;
  const sessionCookie = sessionCookieName(context.environment.publicUrl);

  /**
   * Finds the session of a cookie with one signature check and one query, because every call of a signed-in
   * user needs it. Better Auth handles only the cookies of this server whose session is not open any more.
   * @param refresh true to extend the session, at most once a day; `cookies` then hold the new expiry
   */
  async function findSession(headers: Headers, refresh: boolean): Promise<WithCookies<Session | undefined>> {
    const token = readSignedCookie(headers.get('cookie') ?? '', sessionCookie, context.authSecret);
    if (token === undefined) return { result: undefined, cookies: [] };
    const open = refresh ? undefined : await findSessionRow(database, { token });
    if (open) return { result: open, cookies: [] };
    const { result, cookies } = await callBetterAuth((api) =>
      api.getSession({ headers, returnHeaders: true, query: refresh ? {} : { disableRefresh: true } }),
    );
    if (!result) return { result: undefined, cookies };
    const { session, user } = result;
    const found = openSessionOf({
      ...user,
      ...session,
      uid: user.id,
      member: user.member as StoredMember,
    });
    if (found) return { result: found, cookies };
    const { cookies: ended } = await callBetterAuth((api) => api.signOut({ headers, returnHeaders: true }));
    return { result: undefined, cookies: ended };
  }

  /** Finds the session that a sign-in has just begun, by its `Set-Cookie` headers. There may be none. */
  async function findNewSession(cookies: string[]): Promise<Session | undefined> {
    return (await findSession(headersWith(cookies), false)).result;
  }

  return {
    findSession,
    findNewSession,

    /** Marks the session that a sign-in with two factors has just begun. */
    async markStrong(cookies: string[]): Promise<void> {
      const session = await findNewSession(cookies);
      const strong = database.updateTable('sessions').set({ strong: true });
      if (session) await strong.where('id', '=', session.id).execute();
    },

    /** Returns the session that a sign-in has just begun. */
    async getNewSession(cookies: string[]): Promise<WithCookies<Session>> {
      const result = await findNewSession(cookies);
      if (!result) throw new Error('The session that was just begun cannot be found.');
      return { result, cookies };
    },

    signOut: async (headers: Headers): Promise<WithCookies<unknown>> =>
      headers.has('cookie')
        ? callBetterAuth((api) => api.signOut({ headers, returnHeaders: true }))
        : { result: undefined, cookies: [] },

    /**
     * Lists the browsers that are signed in to the caller's account.
     * @param currentId the session of this request
     */
    async listSessions(headers: Headers, currentId: string): Promise<OpenSession[]> {
      const { result } = await callBetterAuth((api) => api.listSessions({ headers, returnHeaders: true }));
      return result.map(({ id, createdAt, updatedAt, userAgent }) => ({
        id,
        current: id === currentId,
        startedAt: createdAt.getTime(),
        lastUsedAt: updatedAt.getTime(),
        userAgent: userAgent ?? '',
      }));
    },

    /** Ends the session with this id, if it belongs to this user. */
    async endSession({ id, uid }: { id: string; uid: string }): Promise<void> {
      await database.deleteFrom('sessions').where('id', '=', id).where('userId', '=', uid).execute();
    },

    /** Better Auth's function compares tokens, so it cannot be used: the database has only their hashes. */
    async endOtherSessions({ uid, id }: Session): Promise<void> {
      await database.deleteFrom('sessions').where('userId', '=', uid).where('id', '!=', id).execute();
    },
  };
}
