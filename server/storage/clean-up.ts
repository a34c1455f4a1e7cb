import { sql } from 'kysely';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { removeDiscarded } from './files/discarded.ts';
import { discardUpload } from './uploads/uploads.ts';

/** If an upload in the store is older than this and no row refers to it, a crash has left it behind. */
const strayMs = 24 * 60 * 60_000;

/**
 * Deletes abandoned uploads, uploads in the file store that have no row, and the contents of deleted files
 * whose earlier removal failed. Of a finished upload, it deletes only the upload's row; the file stays. On
 * PostgreSQL, it replaces the rows of `storageTally` with one row that holds their sum.
 */
export async function cleanUpFiles(
  context: Pick<AppContext, 'database' | 'databaseKind' | 'fileStore'>,
  now = Date.now(),
): Promise<void> {
  const { database, databaseKind, fileStore } = context;
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
  await fileStore.endStrays(now - strayMs, await listStoreStates(database));
  if (databaseKind === 'postgres')
    await sql`with folded as (delete from ${sql.table('storageTally')} returning change)
      insert into ${sql.table('storageTally')} (change) select coalesce(sum(change), 0) from folded`.execute(
      database,
    );
}

async function listStoreStates(database: Database): Promise<ReadonlySet<string>> {
  const uploads = await database.selectFrom('uploads').select('storeState').execute();
  const discarded = await database.selectFrom('discardedContents').select('storeState').execute();
  return new Set([...uploads, ...discarded].map(({ storeState }) => storeState));
}
