import { siteFolder } from '#contract/storage.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { discard } from './discarded.ts';

/**
 * Lists the paths of the files to which the site's content refers. Writers of that content wait until the
 * transaction ends.
 */
export type LockKeptFiles = (transaction: Database) => Promise<ReadonlySet<string>>;

/**
 * The age at which a file without a reference is deleted. It is longer than the week for which a browser
 * keeps unsaved content, because this content can refer to a file.
 */
const unnamedStayMs = 30 * 24 * 60 * 60_000;

/** Deletes old site files that the site content does not refer to. `cleanUpFiles` removes their contents. */
export async function deleteUnnamedSiteFiles(
  { database }: Pick<AppContext, 'database'>,
  lockKeptFiles: LockKeptFiles,
  now = Date.now(),
): Promise<void> {
  const listOld = (from: Database) =>
    from
      .selectFrom('files')
      .select(['path', 'key'])
      .where('path', 'like', `${siteFolder}%`)
      .where('createdAt', '<=', now - unnamedStayMs)
      .execute();
  if ((await listOld(database)).length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const kept = await lockKeptFiles(transaction);
    const unnamed = (await listOld(transaction)).filter(({ path }) => !kept.has(path));
    for (const { path } of unnamed) await transaction.deleteFrom('files').where('path', '=', path).execute();
    await discard(
      transaction,
      unnamed.map(({ key }) => ({ key, storeState: '' })),
    );
  });
}
