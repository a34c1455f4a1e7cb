import type { Database } from '#server/database/connect.ts';
import { hashOfToken } from '../token-hash.ts';
import { openSessionOf, type Session } from './session.ts';

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
    .select(['sessions.id', 'sessions.createdAt', 'sessions.expiresAt', 'users.id as uid', 'users.email'])
    .select(['users.emailVerified', 'users.twoFactorEnabled', 'users.member']);
  const row = await ('token' in by
    ? query.where('sessions.token', '=', hashOfToken(by.token))
    : query.where('sessions.id', '=', by.id).where('users.id', '=', by.uid)
  ).executeTakeFirst();
  return row && openSessionOf(row);
}
