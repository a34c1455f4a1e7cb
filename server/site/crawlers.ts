import { indexedPaths } from './pages.ts';

/** Returns robots.txt: the rules for search engines, and the URL of the sitemap. */
export function robotsTxt(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /admin\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

/** Returns the sitemap of all pages for search engines, https://www.sitemaps.org/protocol.html */
export function sitemapXml(publicUrl: string): string {
  const urls = indexedPaths.map((path) => `  <url><loc>${publicUrl}${path}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`;
}
