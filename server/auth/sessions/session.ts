import { dayInBrasilia } from '#contract/calendar.ts';
import type { StoredMember } from '#contract/user.ts';
import type { Database } from '#server/database/connect.ts';
import { epochMs } from '#server/database/database-time.ts';
import { hashOfToken } from '../hashed-tokens.ts';

export const sessionSeconds = 7 * 24 * 60 * 60;
/** The longest lifetime of a session, no matter how it is used. */
const longestSessionMs = 30 * 24 * 60 * 60_000;

/** A session as the server knows it; times in epoch milliseconds. */
export type Session = {
  id: string;
  uid: string;
  email: string;
  emailVerified: boolean;
  secondFactor: boolean;
  member: StoredMember;
  /** True if it began with the password and the second factor, or with a passkey. */
  strong: boolean;
  startedAt: number;
  expiresAt: number;
};

/** A session and its user, as the database or Better Auth returns them. */
type SessionRow = {
  id: string;
  createdAt: unknown;
  expiresAt: unknown;
  uid: string;
  email: string;
  emailVerified: boolean | number;
  twoFactorEnabled?: boolean | number | null | undefined;
  member: StoredMember;
  strong?: boolean | number | null | undefined;
};

/** Returns `undefined` for a session that has expired. */
export function openSessionOf(row: SessionRow): Session | undefined {
  const startedAt = epochMs(row.createdAt);
  const expiresAt = Math.min(epochMs(row.expiresAt), startedAt + longestSessionMs);
  if (expiresAt <= Date.now()) return undefined;
  return {
    id: row.id,
    uid: row.uid,
    email: row.email,
    emailVerified: Boolean(row.emailVerified),
    secondFactor: Boolean(row.twoFactorEnabled),
    member: row.member,
    strong: Boolean(row.strong),
    startedAt,
    expiresAt,
  };
}

/** The result of an operation, with its `Set-Cookie` lines. */
export type WithCookies<Result> = { result: Result; cookies: string[] };

/** Returns the request headers of a browser that has received these `Set-Cookie` lines. */
export function headersWith(setCookies: string[]): Headers {
  // Lines that delete an old session's cookie may come first. As in a browser, the last line of a name wins.
  const pairs = setCookies.map((line) => line.split(';', 1)[0] ?? '');
  const last = new Map(pairs.map((pair) => [pair.split('=', 1)[0], pair]));
  return new Headers({ cookie: [...last.values()].join('; ') });
}

/**
 * Finds an open session by its token, or by its id and its owner, in one query.
 * @returns undefined when there is none or it has expired
 */
export async function findSessionRow(
  database: Database,
  by: { token: string } | { id: string; uid: string },
): Promise<Session | undefined> {
  const query = database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'sessions.createdAt', 'sessions.expiresAt', 'sessions.strong'])
    .select(['users.id as uid', 'users.email'])
    .select(['users.emailVerified', 'users.twoFactorEnabled', 'users.member', 'users.lastSeenOn']);
  const row = await ('token' in by
    ? query.where('sessions.token', '=', hashOfToken(by.token))
    : query.where('sessions.id', '=', by.id).where('users.id', '=', by.uid)
  ).executeTakeFirst();
  const session = row && openSessionOf(row);
  if (session && row.lastSeenOn !== dayInBrasilia(Date.now())) await noteSeen(database, session.uid);
  return session;
}

/** Stores, once a day, that the user is signed in today. Reads go on if this fails, as on a full disk. */
async function noteSeen(database: Database, uid: string): Promise<void> {
  const lastSeenOn = dayInBrasilia(Date.now());
  await database
    .updateTable('users')
    .set({ lastSeenOn })
    .where('id', '=', uid)
    .execute()
    .catch(() => undefined);
}
