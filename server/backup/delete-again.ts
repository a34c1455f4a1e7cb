import { personalData } from '../account/personal-data.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { deleteDiariesAgain } from '../diary/entries.ts';
import { deleteNotesAgain } from '../diary/sharing/notes.ts';
import { leaveAgain } from '../newsletter/newsletter.ts';
import { lockUser } from '../users/users.ts';

const pageRows = 1_000;

/**
 * Deletes accounts (with all their data), newsletter subscriptions, diaries, their entries and notes that
 * were deleted before and have come back. They come back when an operator restores a backup, or a copy of the
 * database that was made before an update of the program.
 * @param wasDeleted true for the id of an account or subscription that was deleted before
 * @returns the number of accounts that this function has deleted
 */
export async function deleteAgain(
  database: Database,
  kind: DatabaseKind,
  wasDeleted: (id: string) => boolean,
): Promise<number> {
  let deleted = 0;
  for await (const { id, email } of readUsers(database)) {
    if (!wasDeleted(id)) continue;
    await inTransaction(database, async (transaction) => {
      await lockUser(transaction, kind, id);
      for (const { deleteFor } of personalData) await deleteFor?.(transaction, { uid: id, email });
    });
    deleted += 1;
  }
  await leaveAgain(database, wasDeleted);
  await deleteDiariesAgain(database, wasDeleted);
  await deleteNotesAgain(database, wasDeleted);
  return deleted;
}

async function inTransaction(database: Database, work: (transaction: Database) => Promise<void>) {
  if (database.isTransaction) return work(database);
  return database.transaction().execute(work);
}

async function* readUsers(database: Database): AsyncGenerator<{ id: string; email: string }> {
  let after = '';
  for (;;) {
    const page = await database
      .selectFrom('users')
      .select(['id', 'email'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageRows)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageRows) return;
    after = last.id;
  }
}
