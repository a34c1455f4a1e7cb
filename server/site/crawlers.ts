import type { Activity } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { visitorPages } from '#contract/site/public-pages.ts';
import type { PracticesLibrary } from './rendered-pages.ts';

/** Returns robots.txt: the rules for search engines, and the URL of the sitemap. */
export function robotsTxt(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /admin\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

/** The URL parameter with the number of a part of the sitemap. */
export const sitemapPart = 'parte';
/** The number of practices in one part of the sitemap, which then has at most about 400 kB. */
const practicesPerPart = 1_000;

type Request = {
  publicUrl: string;
  library: Pick<PracticesLibrary, 'count' | 'listPart'>;
  /** The number of the part that the URL names. */
  part: string | null;
};

/**
 * Reads the sitemap of all pages for search engines, https://www.sitemaps.org/protocol.html. With many
 * practices, the sitemap lists its parts, and each part lists pages.
 * @returns a function that writes the document, and a key that only requests for the same document share
 */
export async function readSitemap({ publicUrl, library, part }: Request) {
  const parts = Math.max(1, Math.ceil((await library.count()) / practicesPerPart));
  const chosen =
    parts === 1
      ? 1
      : Array.from({ length: parts }, (_, index) => index + 1).find((one) => String(one) === part);
  if (chosen === undefined) return { key: 'sitemap', write: async () => sitemapIndex(publicUrl, parts) };
  const first = (chosen - 1) * practicesPerPart;
  return {
    key: `sitemap ${chosen}`,
    write: async () => {
      const practices = await library.listPart({ first, count: practicesPerPart });
      return urlSet(publicUrl, chosen === 1 ? visitorPages : [], practices);
    },
  };
}

function sitemapIndex(publicUrl: string, parts: number): string {
  const urls = Array.from(
    { length: parts },
    (_, index) => `${publicUrl}/sitemap.xml?${sitemapPart}=${index + 1}`,
  );
  return document(
    'sitemapindex',
    'sitemap',
    urls.map((url) => `<loc>${url}</loc>`),
  );
}

function urlSet(
  publicUrl: string,
  paths: readonly string[],
  practices: readonly Pick<Activity, 'id' | 'title' | 'updatedAt'>[],
): string {
  return document('urlset', 'url', [
    ...paths.map((path) => `<loc>${publicUrl}${path}</loc>`),
    ...practices.map((practice) => {
      const changed = new Date(practice.updatedAt).toISOString();
      return `<loc>${publicUrl}${practicePath(practice)}</loc><lastmod>${changed}</lastmod>`;
    }),
  ]);
}

const document = (root: string, element: string, entries: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.map((entry) => `  <${element}>${entry}</${element}>\n`).join('')}</${root}>
`;
