import { type ListName, listNames } from '#contract/axes.ts';
import type { Database } from '../database/connect.ts';

/** Makes one value for each list. */
export const perList = <Made>(make: () => Made) =>
  Object.fromEntries(listNames.map((list) => [list, make()])) as Record<ListName, Made>;

/** Returns the version of a list, which grows with every change. It takes one small query. */
export async function getListVersion(database: Database, list: ListName): Promise<number> {
  const { version } = await database
    .selectFrom('activityLists')
    .select('version')
    .where('name', '=', list)
    .executeTakeFirstOrThrow();
  return version;
}

/**
 * Bumps the versions of the lists. Every change of a list does this in its first statement. PostgreSQL locks
 * the rows until the transaction ends, so writers of a list run one after another. The function bumps the
 * lists in alphabetical order, so that two transactions that change the same lists never deadlock.
 */
export async function bumpVersions(transaction: Database, lists: ListName[]) {
  const bumped: { version: number; lastPosition: number }[] = [];
  for (const name of [...new Set(lists)].sort()) {
    bumped.push(
      await transaction
        .updateTable('activityLists')
        .set((row) => ({ version: row('version', '+', 1) }))
        .where('name', '=', name)
        .returning(['version', 'lastPosition'])
        .executeTakeFirstOrThrow(),
    );
  }
  return bumped;
}
