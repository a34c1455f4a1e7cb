import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Activity } from '#contract/activity.ts';
import type { MainAxis } from '#contract/axes.ts';
import { originPlaceholder, type SiteManifest, type SitePage, type SiteRenderer } from '#contract/site.ts';
import { StartError } from '../environment.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { lazily } from '../lazily.ts';
import { type CachedDocument, createCachedDocument } from './document.ts';

/** The build, adapted to the public URL. */
export type BuiltSite = {
  manifest: SiteManifest;
  /** The prerendered pages by their file names. */
  pages: ReadonlyMap<string, CachedDocument>;
  renderPractices(axis: MainAxis, activities: Activity[]): Promise<CachedDocument>;
  filesDir: string;
  /** The URL paths of all static files, such as `/static/js/…` and `/favicon.svg`, but not of HTML pages. */
  files: ReadonlySet<string>;
};

/**
 * Reads the build from `distDir`, and inserts the public URL, which the build does not know.
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
    const script = manifest.startScriptHash;
    const rendererFile = path.join(distDir, 'render.js');
    await access(rendererFile);
    // The first request for /practices loads React and all pages, so that the server starts faster.
    const loadRenderer = lazily(() => import(pathToFileURL(rendererFile).href) as Promise<SiteRenderer>);
    const pages = new Map<string, CachedDocument>();
    for (const page of manifest.pages) {
      if (!('file' in page) || pages.has(page.file)) continue;
      const file = (google && page.fileWithGoogle) || page.file;
      const html = withAddress(await readFile(path.join(filesDir, file), 'utf8'));
      pages.set(page.file, createPage(html, { script, ...styleOf(html) }));
    }
    return {
      manifest,
      pages,
      async renderPractices(axis, activities) {
        const { renderPractices } = await loadRenderer();
        return createPage(withAddress(await renderPractices(axis, activities)), { script });
      },
      filesDir,
      files: await listFiles(filesDir),
    };
  } catch (cause) {
    throw new StartError('O site ainda não foi construído: rode npm run build, ou comece com npm start.', {
      cause,
    });
  }
}

/** Returns the first page whose pattern matches `pathname`. */
export function pageFor({ pages }: SiteManifest, pathname: string): SitePage {
  const page = pages.find(({ pattern }) =>
    pattern.endsWith('*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern,
  );
  if (!page) throw new Error('The last page of the manifest must fit every path.');
  return page;
}

const createPage = (html: string, inline: { script: string; style?: string }) =>
  createCachedDocument(html, 'text/html; charset=utf-8', contentSecurityPolicy(inline));

/** The CSP hash of a page's inline style; empty if the page has none. */
function styleOf(html: string): { style?: string } {
  const style = html.split('<style>', 2)[1]?.split('</style>', 1)[0];
  return style === undefined
    ? {}
    : { style: `sha256-${createHash('sha256').update(style).digest('base64')}` };
}

async function listFiles(dir: string): Promise<Set<string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !/\.(?:html|br|gz)$/.test(entry.name))
    .map((entry) => path.join(path.relative(dir, entry.parentPath), entry.name));
  return new Set(files.map((file) => `/${file.replaceAll(path.sep, '/')}`));
}
