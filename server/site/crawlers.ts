import type { Activity } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { indexedPaths } from './pages.ts';

/** Returns robots.txt: the rules for search engines, and the URL of the sitemap. */
export function robotsTxt(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /admin\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

/** Returns the sitemap of all pages for search engines, https://www.sitemaps.org/protocol.html */
export function sitemapXml(
  publicUrl: string,
  practices: readonly Pick<Activity, 'id' | 'title' | 'updatedAt'>[],
): string {
  const urls = [
    ...indexedPaths.map((path) => `<loc>${publicUrl}${path}</loc>`),
    ...practices.map((practice) => {
      const changed = new Date(practice.updatedAt).toISOString();
      return `<loc>${publicUrl}${practicePath(practice)}</loc><lastmod>${changed}</lastmod>`;
    }),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map((url) => `  <url>${url}</url>\n`).join('')}</urlset>
`;
}
