import type { Database, DatabaseKind } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';

/**
 * Checks that the library still has an admin without `uid`. It locks every admin's row until the transaction
 * ends, so that two admins who demote each other run one after another. SQLite has only one writer, so it
 * needs no lock.
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
