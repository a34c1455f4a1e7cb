import { sql } from 'kysely';
import type { Database, DatabaseKind } from '#server/database/connect.ts';
import { replaceStoredPicture } from '#server/users/users.ts';
import { discard } from './discarded.ts';

/** Makes other transactions that change this user's files wait until this transaction ends. */
export async function lockOwnFiles(transaction: Database, kind: DatabaseKind, uid: string): Promise<void> {
  // SQLite has only one writer, so it needs no lock.
  if (kind === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${`files of ${uid}`}, 0))`.execute(transaction);
}

/**
 * Deletes the older profile pictures of a user who has stored a new one. If the user record contains the URL
 * of an older picture, the URL of the new picture replaces it.
 */
export async function replaceOlderPictures(
  transaction: Database,
  uid: string,
  { path, url }: { path: string; url: string },
): Promise<void> {
  const older = await transaction
    .deleteFrom('files')
    .where('ownerId', '=', uid)
    .where('path', 'like', 'profilePics/%')
    .where('path', '!=', path)
    .returning('key')
    .execute();
  await discard(
    transaction,
    older.map(({ key }) => ({ key, storeState: '' })),
  );
  await replaceStoredPicture(transaction, uid, url);
}
