import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { databaseTime } from '#server/database/database-time.ts';
import { versionKeys } from './pictures.ts';

type Discarded = { key: string; storeState: string };

/** Marks stored content for removal, in the transaction that deletes the last reference to the content. */
export async function discard(transaction: Database, contents: Discarded[]): Promise<void> {
  if (contents.length === 0) return;
  await transaction
    .insertInto('discardedContents')
    .values(contents.map(({ key, storeState }) => ({ key, storeState })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Removes all content that is marked for removal. If a removal fails, the next call repeats it. During a
 * backup, it removes nothing, because the backup has already read the rows of the files, but may still have
 * to read the contents.
 * @throws the first error, after an attempt to remove every content
 */
export async function removeDiscarded({
  database,
  databaseKind,
  fileStore,
}: Pick<AppContext, 'database' | 'databaseKind' | 'fileStore'>): Promise<void> {
  const errors: unknown[] = [];
  // One statement selects the contents and checks that no backup runs. So a backup that begins later finds no
  // row that refers to these contents.
  const removable = await database
    .selectFrom('discardedContents')
    .selectAll()
    // If the files were moved while this server was suspended, the server knows only the old place. It must
    // remove nothing there.
    .where((row) =>
      row.not(
        row.exists(row.selectFrom('installation').select('id').where('contents', '!=', fileStore.place)),
      ),
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('leases')
            .select('name')
            .where('name', '=', 'backup')
            .where('heldUntil', '>', databaseTime(databaseKind)),
        ),
      ),
    )
    .execute();
  for (const { key, storeState } of removable) {
    try {
      await fileStore.remove([key, ...versionKeys(key)], storeState);
      await database.deleteFrom('discardedContents').where('key', '=', key).execute();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
