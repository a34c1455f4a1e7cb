import type { Database, DatabaseKind } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';

/**
 * Locks the rows of all admins until the transaction ends, so that two admins cannot demote each other at the
 * same time. Call it before any other lock on a user: two transactions that lock admins in different orders
 * can deadlock. SQLite has only one writer, so it needs no lock.
 */
export async function lockAdmins(transaction: Database, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await selectAdmins(transaction).orderBy('id').forUpdate().execute();
}

/**
 * Checks that `uid` is not the only admin. The transaction must have locked the admins.
 * @throws AppError `auth/last-admin`
 */
export async function requireAnotherAdmin(transaction: Database, uid: string): Promise<void> {
  const admins = await selectAdmins(transaction).execute();
  if (admins.length > 0 && admins.every(({ id }) => id === uid)) throw new AppError('auth/last-admin');
}

const selectAdmins = (database: Database) =>
  database.selectFrom('users').select('id').where('member', '=', 'admin');
