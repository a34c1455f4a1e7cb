import type { Database, DatabaseKind } from '../database/connect.ts';
import { keepAnAdmin } from '../last-admin.ts';

/**
 * Removes an account and everything kept about its owner: record, sessions, sign-in methods, mood record,
 * access log, pending links, newsletter.
 * @throws AppError `auth/last-admin` when nobody would keep the library any more
 */
export async function deleteAccount(
  database: Database,
  kind: DatabaseKind,
  { uid, email }: { uid: string; email: string },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await keepAnAdmin(transaction, kind, uid);
    await transaction.deleteFrom('newsletterSubscribers').where('email', '=', email).execute();
    await transaction
      .deleteFrom('verifications')
      .where((row) => row.or([row('value', '=', uid), row('identifier', '=', email)]))
      .execute();
    // Sessions, sign-in methods, mood record and access log refer to the user and go along.
    await transaction.deleteFrom('users').where('id', '=', uid).execute();
  });
}
