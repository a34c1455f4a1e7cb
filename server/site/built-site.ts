import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageRenderer } from '#contract/site/document.ts';
import { lazily } from '../concurrency.ts';
import { StartError } from '../environment.ts';
import { programFolder } from '../program.ts';

/** The folder of the build. */
export const distDir = path.join(programFolder, 'dist');

/** The output of the build. */
export type BuiltSite = {
  /** Loads React and the code of all pages at the first call, so that the server starts faster. */
  loadRenderer: () => Promise<PageRenderer>;
  filesDir: string;
  /** Reads the code of the service worker. */
  readServiceWorker: () => Promise<string>;
  /** The URL paths of all static files, such as `/static/js/…` and `/favicon.svg`. */
  files: ReadonlySet<string>;
};

/**
 * Finds the build in `folder`.
 * @throws StartError when there is no build
 */
export async function openBuiltSite(folder: string): Promise<BuiltSite> {
  const filesDir = path.join(folder, 'site');
  const renderer = path.join(folder, 'render.js');
  try {
    await access(renderer);
    return {
      loadRenderer: lazily(() => import(pathToFileURL(renderer).href) as Promise<PageRenderer>),
      filesDir,
      readServiceWorker: () => readFile(path.join(folder, 'sw.js'), 'utf8'),
      files: await listFiles(filesDir),
    };
  } catch (cause) {
    throw new StartError('O site ainda não foi construído: rode npm run set-up, ou comece com npm start.', {
      cause,
    });
  }
}

async function listFiles(dir: string): Promise<Set<string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map((entry) => path.join(path.relative(dir, entry.parentPath), entry.name));
  return new Set(files.map((file) => `/${file.replaceAll(path.sep, '/')}`));
}
