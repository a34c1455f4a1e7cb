import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SiteManifest, SitePage, SiteRenderer } from '#contract/site.ts';
import { StartError } from '../environment.ts';

export type BuiltSite = {
  manifest: SiteManifest;
  renderer: SiteRenderer;
  filesDir: string;
  /** The paths of all files that may be sent as they are: `/static/js/…`, `/favicon.svg`. No page is among them. */
  files: ReadonlySet<string>;
};

/**
 * What the build left in `distDir`.
 * @throws StartError when there is no build
 */
export async function loadBuiltSite(distDir: string): Promise<BuiltSite> {
  const filesDir = path.join(distDir, 'site');
  try {
    const manifest = JSON.parse(await readFile(path.join(distDir, 'pages.json'), 'utf8')) as SiteManifest;
    const renderer = (await import(pathToFileURL(path.join(distDir, 'render.js')).href)) as SiteRenderer;
    return { manifest, renderer, filesDir, files: await listFiles(filesDir) };
  } catch (cause) {
    throw new StartError('O site ainda não foi construído: rode npm run build, ou comece com npm start.', {
      cause,
    });
  }
}

/** The page that answers `pathname`. */
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
