import type { SiteVersion } from '#contract/site/draft.ts';
import type { Database } from '../database/connect.ts';

/** The maximum number of versions that the history shows. Older versions stay in the database. */
const mostListed = 200;

/** Lists the newest published versions, newest first. */
export async function listVersions(database: Database): Promise<SiteVersion[]> {
  const rows = await database
    .selectFrom('siteVersions')
    .leftJoin('users', 'users.id', 'siteVersions.publishedBy')
    .select([
      'siteVersions.version',
      'siteVersions.note',
      'siteVersions.publishedAt',
      'users.displayName as publisherName',
    ])
    .orderBy('siteVersions.version', 'desc')
    .limit(mostListed)
    .execute();
  return rows.map(({ publisherName, ...row }) => ({
    ...row,
    publishedBy: publisherName === null ? null : { name: publisherName },
  }));
}
