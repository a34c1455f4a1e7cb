import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
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
 * Removes all content that is marked for removal. If a removal fails, the next call repeats it.
 * @throws the first error, after an attempt to remove every content
 */
export async function removeDiscarded({
  database,
  fileStore,
}: Pick<AppContext, 'database' | 'fileStore'>): Promise<void> {
  const errors: unknown[] = [];
  for (const { key, storeState } of await database.selectFrom('discardedContents').selectAll().execute()) {
    try {
      await fileStore.remove([key, ...versionKeys(key)], storeState);
      await database.deleteFrom('discardedContents').where('key', '=', key).execute();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
