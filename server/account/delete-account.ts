import type { Session } from '../auth/guards.ts';
import { requireStillOpen } from '../auth/sign-in-methods.ts';
import { noteDeletion } from '../backup/deletions.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import type { DataSubject } from '../database/personal-data.ts';
import { lockAdmins, lockUser, requireAnotherAdmin } from '../users/users.ts';
import { personalData } from './personal-data.ts';

/**
 * Deletes an account and all data of its owner, in one transaction. If the owner is an admin, their
 * activities, library files and site content stay, without the admin's name. Entries in other users' access
 * logs keep the name, because they say who read a user's data. The contents of files are marked for removal.
 * @throws AppError `auth/last-admin` when no admin would be left; `auth/unauthenticated` when the session has
 * ended while the user was confirmed
 */
export async function deleteAccount(
  database: Database,
  kind: DatabaseKind,
  session: Pick<Session, 'id' | 'uid' | 'email'>,
): Promise<void> {
  const subject: DataSubject = session;
  await database.transaction().execute(async (transaction) => {
    await requireStillOpen(transaction, kind, session);
    await lockAdmins(transaction, kind);
    await requireAnotherAdmin(transaction, subject.uid);
    // After this lock, no upload of this user can become a file.
    await lockUser(transaction, kind, subject.uid);
    for (const { deleteFor } of personalData) await deleteFor?.(transaction, subject);
    await noteDeletion(transaction, subject.uid);
  });
}
