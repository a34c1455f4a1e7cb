import type { SiteManifest } from '#contract/site.ts';

/** The rules for search engines, and the address of the sitemap. */
export function robotsTxt(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /admin\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

/** The public pages, https://www.sitemaps.org/protocol.html */
export function sitemapXml({ pages }: SiteManifest, publicUrl: string): string {
  const urls = pages
    .filter(({ indexed }) => indexed)
    .map(({ pattern }) => `  <url><loc>${publicUrl}${pattern}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`;
}
