import type { AppContext } from '../context.ts';
import { removeDiscarded } from './files/discarded.ts';
import { discardUpload } from './uploads/uploads.ts';

/**
 * Deletes abandoned uploads, and the content of deleted files whose earlier removal failed. Of a finished
 * upload it deletes only the record; the file stays.
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
