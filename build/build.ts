import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as bundle, type Manifest, minify, transformWithOxc } from 'vite';
import { texts } from '#clinic/texts.ts';
import type { DocumentTemplate, InlineCode, PageFacts, PageRenderer } from '#contract/site/document.ts';
import { renderedPages } from '#contract/site/public-pages.ts';
import { oldestBrowsers } from './browsers.ts';

import { stylesFor } from './page-styles.ts';
import { writeShareDesign } from './share-design.ts';
import { hashSources, noteBuilt } from './sources.mjs';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, 'dist');
const site = resolve(dist, 'site');

/** Builds dist/: the browser's files, the renderer, the HTML document around its pages, and the server. */
export async function build(): Promise<void> {
  // Hashes the sources first: if one changes during the build, the next start builds again.
  const sources = hashSources(root);
  await rm(dist, { recursive: true, force: true });
  await bundle({ configFile: config, logLevel: 'warn' });
  await publishSampleFiles();
  await writeShareDesign(resolve(dist, 'share-image'));
  // The server's mails have the same colours.
  await cp(resolve(root, 'web/styles/tokens.css'), resolve(dist, 'tokens.css'));
  const manifest: Manifest = JSON.parse(await readFile(resolve(site, '.vite/manifest.json'), 'utf8'));
  const document = await readDocument(manifest);
  await writeDocument(document);
  await bundleWorker(await listPrecached(manifest));
  await bundle({
    configFile: config,
    logLevel: 'warn',
    // Bundles the renderer and its packages into one file.
    ssr: { noExternal: true },
    // `npm start` does not set NODE_ENV. Without this, React would choose its slower code for development.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      ssr: 'app/render.tsx',
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      manifest: false,
      rolldownOptions: {
        output: { entryFileNames: 'render.js', codeSplitting: false },
        // Leaves out debug comments: they contain paths of packages, which depend on the folder of the build.
        experimental: { attachDebugInfo: 'none' },
      },
    },
  });
  await writeDocument({ ...document, inlineStyles: await makeInlineStyles() });
  await compressAll();
  await bundleServer(root, resolve(dist, 'server'));
  noteBuilt(root, sources);
}

/** Copies the pictures and sounds of the sample content to /images/ and /audio/. */
async function publishSampleFiles() {
  for (const folder of ['images', 'audio'])
    await cp(resolve(import.meta.dirname, '../clinic', folder), resolve(site, folder), { recursive: true });
}

const config = resolve(import.meta.dirname, 'vite.config.ts');

/** Reads the document and the style files of each page from the browser's build, for the renderer. */
async function readDocument(manifest: Manifest): Promise<DocumentTemplate> {
  const page = resolve(site, 'index.html');
  const withLinks = await withIcon(await readFile(page, 'utf8'));
  const links = [...withLinks.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)">\s*/g)];
  const siteStyles = links.map(([, file = '']) => file);
  const html = links.reduce((text, [link]) => text.replace(link, ''), withLinks);
  const stylesOf = (area: string) => {
    const [chunk = ''] = Object.entries(manifest).find(([, { name }]) => name === area) ?? [];
    return withImports(manifest, chunk)
      .flatMap((file) => manifest[file]?.css ?? [])
      .filter((file) => !siteStyles.includes(file));
  };
  const styles = { public: stylesOf('public'), account: stylesOf('account') };
  const startScript = inlineCode(await compileStartScript());
  await rm(page);
  await rm(resolve(site, '.vite'), { recursive: true });
  return {
    html,
    prerenderedHtml: startAfterPaint(html, startScript.code),
    siteStyles,
    styles,
    inlineStyles: {},
    startScript,
  };
}

async function writeDocument(document: DocumentTemplate) {
  await writeFile(resolve(dist, 'document.json'), JSON.stringify(document));
}

const inlineCode = (code: string): InlineCode => ({ code, hash: integrityOf(code) });

const integrityOf = (content: string | Buffer) =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** Compiles start-script.ts for the browser. */
async function compileStartScript(): Promise<string> {
  const file = resolve(import.meta.dirname, 'start-script.ts');
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, {
    sourcemap: false,
    target: oldestBrowsers,
  });
  const minified = await minify('start-script.js', code, { module: true });
  return minified.code;
}

/** Replaces the scripts of the document with an inline start script, which loads them. */
function startAfterPaint(html: string, startScript: string): string {
  const tags = [...html.matchAll(/<script [^>]*src="([^"]+)"[^>]*><\/script>/g)];
  const files = tags.map(([, file]) => file).join(' ');
  const [first = '', ...rest] = tags.map(([tag]) => tag);
  return rest
    .reduce((text, tag) => text.replace(tag, ''), html)
    .replace(first, () => `<script type="module" data-files="${files}">${startScript}</script>`);
}

/** Inlines the icon: a separate file would compete with the files of the first paint. */
async function withIcon(html: string): Promise<string> {
  const icon = encodeURIComponent(await readFile(resolve(site, 'favicon.svg'), 'utf8'));
  return html.replace('href="/favicon.svg"', () => `href="data:image/svg+xml,${icon}"`);
}

/** Returns a chunk and all its imports, dependencies first. */
function withImports(manifest: Manifest, chunk: string, found = new Set<string>()): string[] {
  if (found.has(chunk)) return [];
  found.add(chunk);
  const imports = manifest[chunk]?.imports ?? [];
  return [...imports.flatMap((file) => withImports(manifest, file, found)), chunk];
}

/** Code that pages need only with network: the admin area, the preview and uploads. */
const onlyOnline = /(?:admin-routes|live-preview|upload-device)\.tsx?$|\/client\/storage\//;

/** Lists the files of the site and of the patients' area, which a device keeps for use without network. */
async function listPrecached(manifest: Manifest): Promise<{ url: string; integrity: string }[]> {
  const [site = ''] = Object.entries(manifest).find(([, { name }]) => name === 'site') ?? [];
  const found = new Set([site]);
  for (const chunk of found)
    for (const next of [...(manifest[chunk]?.imports ?? []), ...(manifest[chunk]?.dynamicImports ?? [])])
      if (!onlyOnline.test(next)) found.add(next);
  const fonts = Object.values(manifest).filter(({ file }) => file.endsWith('.woff2'));
  const chunks = [...[...found].map((chunk) => manifest[chunk]), ...fonts];
  const files = new Set(chunks.flatMap((chunk) => (chunk ? [chunk.file, ...(chunk.css ?? [])] : [])));
  return Promise.all(
    [...files].sort().map(async (file) => ({
      url: `/${file}`,
      integrity: integrityOf(await readFile(resolve(dist, 'site', file))),
    })),
  );
}

/** Bundles the service worker into one classic script, because Firefox 115 knows no modules in workers. */
async function bundleWorker(precachedFiles: { url: string; integrity: string }[]) {
  const list = JSON.stringify(precachedFiles);
  await bundle({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: {
      'process.env.NODE_ENV': '"production"',
      build: `{ id: '${createHash('sha256').update(list).digest('hex').slice(0, 12)}', files: ${list} }`,
    },
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: oldestBrowsers,
      rolldownOptions: {
        input: 'web/offline/worker.ts',
        output: { format: 'iife', entryFileNames: 'sw.js', codeSplitting: false },
      },
    },
  });
}

/**
 * The largest page that a new connection carries in one round trip: ten TCP segments of 1,460 bytes
 * (RFC 6928), minus 1,000 bytes for the headers of the response and 200 for those of a proxy.
 */
const firstWindowBytes = 13_400;

/** Without /practices, whose content depends on lists. */
export const pagesWithOwnStyles = [...renderedPages, '/404'].filter((path) => path !== '/practices');

/**
 * Finds the rules that each page's HTML needs, so that its style files can load after the first paint. Leaves
 * out a page that would not fit into the first round trip together with its rules. Renders the sample
 * content, because it has every kind of element.
 */
async function makeInlineStyles(): Promise<Record<string, InlineCode>> {
  const { renderPage }: PageRenderer = await import(pathToFileURL(resolve(dist, 'render.js')).href);
  const facts: PageFacts = {
    content: texts,
    version: 0,
    site: { origin: 'https://origin.invalid', google: true },
  };
  const found: Record<string, InlineCode> = {};
  for (const path of pagesWithOwnStyles) {
    const { html } = await renderPage(path, facts);
    const links = [...html.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)">\s*/g)];
    const files = links.map(([, file = '']) => file);
    const css = await Promise.all(files.map((file) => readFile(resolve(site, file.slice(1)), 'utf8')));
    const style = stylesFor(html, css.join(''));
    const page = links.reduce((text, [link]) => text.replace(link, ''), html) + style + files.join(' ');
    if ((await toBestBrotli(page)).length <= firstWindowBytes) found[path] = inlineCode(style);
  }
  return found;
}

const toBrotli = promisify(brotliCompress);
const toBestBrotli = (text: string | Buffer) => {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  };
  return toBrotli(text, { params });
};
const toGzip = promisify(gzip);

/** Writes `.br` and `.gz` files next to every text file. */
async function compressAll() {
  const files = await readdir(site, { recursive: true });
  const texts = files.filter((file) => /\.(?:html|js|css|svg|json|txt|xml|webmanifest)$/.test(file));
  await Promise.all(
    texts.map(async (file) => {
      const path = resolve(site, file);
      const text = await readFile(path);
      await Promise.all([
        toBestBrotli(text).then((packed) => writeFile(`${path}.br`, packed)),
        toGzip(text, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
      ]);
    }),
  );
}

if (import.meta.main) {
  const start = performance.now();
  await build();
  console.log(`Site construído em ${((performance.now() - start) / 1000).toFixed(1)} s.`);
}

/**
 * Bundles the server and its packages, because loading 900 modules takes most of the time of a start.
 * Code that the server imports only when it needs it becomes files of its own.
 * @param root the folder of the program
 * @param outDir `dist/server`
 */
async function bundleServer(root: string, outDir: string): Promise<void> {
  await bundle({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: 'server/main.ts',
      outDir,
      target: 'node26',
      minify: false,
      // Stack traces in the log name the lines of the sources. The release contains the sources themselves.
      sourcemap: true,
      rolldownOptions: {
        output: {
          entryFileNames: 'main.js',
          chunkFileNames: '[name]-[hash].js',
          sourcemapExcludeSources: true,
        },
      },
    },
  });
}
