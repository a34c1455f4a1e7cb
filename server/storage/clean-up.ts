import type { AppContext } from '../context.ts';
import { removeDiscarded } from './files/discarded.ts';
import { discardUpload } from './uploads/uploads.ts';

/**
 * Removes uploads that nobody went on with, and contents whose removal did not succeed before. A finished file is
 * never touched: of its upload only the note goes.
 */
export async function cleanUpFiles(
  context: Pick<AppContext, 'database' | 'fileStore'>,
  now = Date.now(),
): Promise<void> {
  const { database } = context;
  await database
    .deleteFrom('uploads')
    .where('expiresAt', '<=', now)
    .where('finishedAt', 'is not', null)
    .execute();
  const abandoned = await database
    .selectFrom('uploads')
    .select(['id', 'key', 'storeState'])
    .where('expiresAt', '<=', now)
    .where((row) => row.or([row('holder', 'is', null), row('heldUntil', '<', now)]))
    .execute();
  for (const upload of abandoned) await discardUpload(context, upload);
  await removeDiscarded(context);
}
