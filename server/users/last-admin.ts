import type { Database, DatabaseKind } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';

/**
 * Makes sure that somebody keeps the library when `uid` no longer does. Holds every admin's row until the
 * transaction ends, so that two admins who remove each other at the same time follow one another; SQLite has
 * one writer at a time anyway.
 * @throws AppError `auth/last-admin`
 */
export async function keepAnAdmin(transaction: Database, kind: DatabaseKind, uid: string): Promise<void> {
  const admins = await transaction
    .selectFrom('users')
    .select('id')
    .where('member', '=', 'admin')
    .orderBy('id')
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .execute();
  if (admins.length > 0 && admins.every(({ id }) => id === uid)) throw new AppError('auth/last-admin');
}
