import { texts } from '#clinic/texts.ts';
import { completeContent } from '#contract/site/complete.ts';
import type { SiteContent } from '#contract/site/content.ts';
import { shownContent } from '#contract/site/shown-content.ts';
import { withTimeout } from '../concurrency.ts';
import type { Database } from '../database/connect.ts';
import type { ReadVersions } from '../database/versions.ts';

/**
 * Published site content with its number. A version never changes, with one exception: version 0 is the
 * sample content, which an update of this program can change.
 */
export type PublishedContent = { version: number; content: SiteContent };

/** The content of a site before its first publication. */
export const sampleContent: PublishedContent = { version: 0, content: texts };

/** The longest wait for the small query of the version number. Then the database counts as unavailable. */
const versionTimeoutMs = 1_000;

export type ContentSource = ReturnType<typeof createContentSource>;

const shown = ({ version, content }: PublishedContent) => ({ version, content: shownContent(content) });

/**
 * Reads the published content as visitors see it. It stays in memory until another version is published, on
 * any instance.
 */
export function createContentSource(database: Database, readVersions: ReadVersions) {
  let last: PublishedContent | undefined;
  const readVersion = async () => (await readVersions()).content;

  async function readAt(version: number): Promise<PublishedContent> {
    if (last?.version !== version) last = shown(await getVersion(database, version));
    return last;
  }

  return {
    /** Returns the newest content, or the content that was read last if the database is unavailable. */
    async read(): Promise<PublishedContent> {
      if (!last) return readAt(await readVersion());
      const known = last;
      const version = await withTimeout(versionTimeoutMs, readVersion()).catch(() => known.version);
      // This has no time limit, because reading a new version may take longer than finding its number.
      return readAt(version).catch(() => known);
    },

    /**
     * Returns the version before the newest one, for a browser that still shows it.
     * @param forMs how long after the publication of the newest version; later, returns `undefined`
     */
    async findRecent(version: number, forMs: number): Promise<PublishedContent | undefined> {
      const next = await database
        .selectFrom('siteVersions')
        .select('publishedAt')
        .where('version', '=', version + 1)
        .executeTakeFirst();
      if (!next || next.publishedAt <= Date.now() - forMs) return undefined;
      const found = await findVersion(database, version);
      return found && shown(found);
    },
  };
}

export async function findVersion(
  database: Database,
  version: number,
): Promise<PublishedContent | undefined> {
  if (version === 0) return sampleContent;
  const row = await database
    .selectFrom('siteVersions')
    .select('content')
    .where('version', '=', version)
    .executeTakeFirst();
  return row && { version, content: completeContent(JSON.parse(row.content)) };
}

/** Returns a version or, if an admin has erased it, the last one before it. */
export async function findVersionUpTo(database: Database, version: number): Promise<PublishedContent> {
  const row = await database
    .selectFrom('siteVersions')
    .select(['version', 'content'])
    .where('version', '<=', version)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { version: row.version, content: completeContent(JSON.parse(row.content)) } : sampleContent;
}

/** @throws Error when the version does not exist */
export async function getVersion(database: Database, version: number): Promise<PublishedContent> {
  const found = await findVersion(database, version);
  if (!found) throw new Error(`Version ${version} of the site's content is missing.`);
  return found;
}
