import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { originPlaceholder, type SiteManifest, type SitePage, type SiteRenderer } from '#contract/site.ts';
import { StartError } from '../environment.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { lazily } from '../lazily.ts';
import { type CachedDocument, createCachedDocument } from './document.ts';

/** The build, adapted to the public address. */
export type BuiltSite = {
  manifest: SiteManifest;
  /** The prerendered pages by their file names. */
  pages: ReadonlyMap<string, CachedDocument>;
  renderPractices: SiteRenderer['renderPractices'];
  filesDir: string;
  /** The paths of all static files: `/static/js/…`, `/favicon.svg`. It contains no pages. */
  files: ReadonlySet<string>;
};

/**
 * Reads the build from `distDir`, and inserts the public address, which the build does not know.
 * @param google true if users can sign in with Google
 * @throws StartError when there is no build
 */
export async function loadBuiltSite(
  distDir: string,
  { publicUrl, google }: { publicUrl: string; google: boolean },
): Promise<BuiltSite> {
  const filesDir = path.join(distDir, 'site');
  const withAddress = (text: string) => text.replaceAll(originPlaceholder, publicUrl);
  try {
    const manifest = JSON.parse(await readFile(path.join(distDir, 'pages.json'), 'utf8')) as SiteManifest;
    const rendererFile = path.join(distDir, 'render.js');
    await access(rendererFile);
    // The first request for the practices loads React and all pages, not the start of the server.
    const loadRenderer = lazily(() => import(pathToFileURL(rendererFile).href) as Promise<SiteRenderer>);
    const pages = new Map<string, CachedDocument>();
    for (const page of manifest.pages) {
      if (!('file' in page) || pages.has(page.file)) continue;
      const file = (google && page.fileWithGoogle) || page.file;
      const html = withAddress(await readFile(path.join(filesDir, file), 'utf8'));
      const style = html.split('<style>', 2)[1]?.split('</style>', 1)[0];
      const policy = style === undefined ? undefined : contentSecurityPolicy(style);
      pages.set(page.file, createCachedDocument(html, 'text/html; charset=utf-8', policy));
    }
    return {
      manifest,
      pages,
      renderPractices: async (axis, activities) =>
        withAddress(await (await loadRenderer()).renderPractices(axis, activities)),
      filesDir,
      files: await listFiles(filesDir),
    };
  } catch (cause) {
    throw new StartError('O site ainda não foi construído: rode npm run build, ou comece com npm start.', {
      cause,
    });
  }
}

/** The page for `pathname`. */
export function pageFor({ pages }: SiteManifest, pathname: string): SitePage {
  const page = pages.find(({ pattern }) =>
    pattern.endsWith('*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern,
  );
  if (!page) throw new Error('The last page of the manifest must fit every path.');
  return page;
}

async function listFiles(dir: string): Promise<Set<string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !/\.(?:html|br|gz)$/.test(entry.name))
    .map((entry) => path.join(path.relative(dir, entry.parentPath), entry.name));
  return new Set(files.map((file) => `/${file.replaceAll(path.sep, '/')}`));
}
