import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../database/connect.ts';
import { openBuiltSite } from './built-site.ts';
import { type CachedDocument, createCachedDocument } from './document.ts';

const dayMs = 24 * 60 * 60_000;
const renewMs = dayMs;
/** How long the assets of an unused release are kept: longer than a rollout takes or a page stays open. */
const keptMs = 30 * dayMs;
/** The maximum number of assets in memory. A release has fewer than a hundred. */
const mostCached = 200;

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};
/** The paths of assets, whose names contain a hash of their content. */
const assetPath = /^\/static\/(?:[a-z]{1,10}\/)?[\w.-]{1,100}\.(js|css|woff2)$/;

/**
 * Stores the assets of this release in the database, where instances of other releases find them. Records
 * that the release is in use, and deletes the releases that no instance has used for thirty days.
 * @param distDir the folder of the build
 * @param now in milliseconds since 1970
 */
export async function publishAssets(database: Database, distDir: string, now = Date.now()): Promise<void> {
  const { files, filesDir } = await openBuiltSite(distDir);
  const paths = [...files].filter((file) => assetPath.test(file)).sort();
  const release = createHash('sha256').update(paths.join('\n')).digest('hex');
  const known = await database
    .selectFrom('releases')
    .select('seenAt')
    .where('id', '=', release)
    .executeTakeFirst();
  if (!known) await store(database, { release, paths, filesDir, now });
  else if (known.seenAt < now - renewMs)
    await database.updateTable('releases').set({ seenAt: now }).where('id', '=', release).execute();
  await database
    .deleteFrom('releases')
    .where('seenAt', '<', now - keptMs)
    .execute();
}

type Release = { release: string; paths: string[]; filesDir: string; now: number };

async function store(database: Database, { release, paths, filesDir, now }: Release): Promise<void> {
  const assets = await Promise.all(
    paths.map(async (file) => ({
      path: file,
      release,
      content: await readFile(path.join(filesDir, file), 'base64'),
    })),
  );
  await database.transaction().execute(async (transaction) => {
    // Another instance of this release may start at the same time. Only one of them stores the assets.
    const stored = await transaction
      .insertInto('releases')
      .values({ id: release, seenAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (stored) await transaction.insertInto('releaseAssets').values(assets).execute();
  });
}

/**
 * Creates a reader of the assets of other releases. During a rollout, a page of one release can request its
 * code from an instance of another release.
 * @returns a function that reads the asset at a path, and returns undefined if no release has it
 */
export function createAssetReader(database: Database) {
  const cached = new Map<string, CachedDocument>();

  return async (pathname: string): Promise<CachedDocument | undefined> => {
    const type = types[assetPath.exec(pathname)?.[1] ?? ''];
    if (type === undefined) return undefined;
    const known = cached.get(pathname);
    if (known) return known;
    const asset = await database
      .selectFrom('releaseAssets')
      .select('content')
      .where('path', '=', pathname)
      .limit(1)
      .executeTakeFirst();
    if (!asset) return undefined;
    const document = createCachedDocument(Buffer.from(asset.content, 'base64'), type);
    if (cached.size >= mostCached) cached.clear();
    cached.set(pathname, document);
    return document;
  };
}
