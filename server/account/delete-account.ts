import type { Database, DatabaseKind } from '../database/connect.ts';
import { keepAnAdmin } from '../users/last-admin.ts';

/**
 * Deletes an account and all data of its owner: record, sessions, sign-in methods, mood record, access log,
 * pending links, newsletter, profile pictures, unfinished uploads. Activities that an admin created stay,
 * without the admin's name. The contents of files are marked for removal.
 * @throws AppError `auth/last-admin` when the library would have no admin
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
    // Sessions, sign-in methods, mood record and access log refer to the user and are deleted with it.
    await transaction.deleteFrom('users').where('id', '=', uid).execute();
  });
}

/** From here on no upload of this user can become a file. SQLite has only one writer, so it needs no lock. */
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
