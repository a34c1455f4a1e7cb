import type { Database, DatabaseKind } from '../database/connect.ts';
import { keepAnAdmin } from '../users/last-admin.ts';

/**
 * Removes an account and everything kept about its owner: record, sessions, sign-in methods, mood record,
 * access log, pending links, newsletter, profile pictures, uploads under way. What an admin brought to the library
 * stays there, without a name. The contents of files are noted for removal.
 * @throws AppError `auth/last-admin` when nobody would keep the library any more
 */
export async function deleteAccount(
  database: Database,
  kind: DatabaseKind,
  { uid, email }: { uid: string; email: string },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await keepAnAdmin(transaction, kind, uid);
    await lockUser(transaction, kind, uid);
    await discardOwnFiles(transaction, uid);
    await transaction.deleteFrom('newsletterSubscribers').where('email', '=', email).execute();
    await transaction
      .deleteFrom('verifications')
      .where((row) => row.or([row('value', '=', uid), row('identifier', '=', email)]))
      .execute();
    // Sessions, sign-in methods, mood record and access log refer to the user and go along.
    await transaction.deleteFrom('users').where('id', '=', uid).execute();
  });
}

/** From here on no upload of this person can become a file; SQLite has one writer at a time anyway. */
async function lockUser(transaction: Database, kind: DatabaseKind, uid: string): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', uid)
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .execute();
}

async function discardOwnFiles(transaction: Database, uid: string): Promise<void> {
  const pictures = await transaction
    .deleteFrom('files')
    .where('ownerId', '=', uid)
    .where('path', 'like', 'profilePics/%')
    .returning('key')
    .execute();
  const uploads = await transaction
    .deleteFrom('uploads')
    .where('ownerId', '=', uid)
    .where('finishedAt', 'is', null)
    .returning(['key', 'storeState'])
    .execute();
  const discarded = [...pictures.map(({ key }) => ({ key, storeState: '' })), ...uploads];
  if (discarded.length > 0) await transaction.insertInto('discardedContents').values(discarded).execute();
}
