import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as bundle, type Manifest, minify, transformWithOxc } from 'vite';
import { checkClinic } from '#clinic/check.ts';
import { identity } from '#clinic/identity.ts';
import type { DocumentTemplate, PageFacts, PageRenderer, SiteManifest, SitePage } from '#contract/site.ts';
import { checkClinicFiles } from './clinic-files.ts';
import { stylesFor } from './page-styles.ts';

const dist = resolve(import.meta.dirname, '../dist');
const site = resolve(dist, 'site');

/**
 * Builds the site into dist/: the browser's files, the renderer, the prerendered pages and their list.
 * @throws Error with one sentence when the clinic's data is invalid
 */
export async function build(): Promise<void> {
  checkClinic();
  checkClinicFiles();
  await rm(dist, { recursive: true, force: true });
  await bundle({ configFile: config, logLevel: 'warn' });
  await publishClinicFiles();
  const startScript = await compileStartScript();
  await writeDocument(startScript);
  await bundle({
    configFile: config,
    logLevel: 'warn',
    // One file that bundles everything, with React's production code in every environment.
    ssr: { noExternal: true },
    build: {
      ssr: 'app/render.tsx',
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      manifest: false,
      rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
    },
  });
  await writePages(startScript);
  await compressAll();
}

/** Copies the clinic's pictures and sounds to /images/ and /audio/. */
async function publishClinicFiles() {
  for (const folder of ['images', 'audio'])
    await cp(resolve(import.meta.dirname, '../clinic', folder), resolve(site, folder), { recursive: true });
  await writeFile(resolve(site, 'site.webmanifest'), JSON.stringify(webManifest));
}

/** The web app manifest, https://www.w3.org/TR/appmanifest/. */
const webManifest = {
  name: `${identity.doctorName}, ${identity.profession.toLowerCase()}`,
  short_name: identity.shortName,
  lang: 'pt-BR',
  start_url: '/',
  display: 'browser',
  background_color: '#faf6ee',
  theme_color: '#faf6ee',
  icons: [192, 512].map((side) => ({
    src: `/icon-${side}.png`,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
};

const config = resolve(import.meta.dirname, 'vite.config.ts');

/** Saves what the renderer needs from the browser's build: the document, and the styles of each page. */
async function writeDocument(startScript: string) {
  const page = resolve(site, 'index.html');
  const manifestFolder = resolve(site, '.vite');
  const manifest: Manifest = JSON.parse(await readFile(resolve(manifestFolder, 'manifest.json'), 'utf8'));
  const html = await withIcon(await readFile(page, 'utf8'));
  const styles: Record<string, string[]> = {};
  for (const source of Object.keys(manifest)) {
    // The manifest lists the page of a chunk group under the group, for example as `_practices-….js`.
    const [, page, together] = /^(?:pages\/(.+)\.tsx|_(\w+)-.+\.js)$/.exec(source) ?? [];
    const id = page ?? `public/${together}`;
    const files = withImports(manifest, source).flatMap((file) => manifest[file]?.css ?? []);
    // The document already contains the styles of the entry.
    styles[id] = files.filter((file) => !html.includes(file));
  }
  const document: DocumentTemplate = { html, prerenderedHtml: startAfterPaint(html, startScript), styles };
  await writeFile(resolve(dist, 'document.json'), JSON.stringify(document));
  await rm(page);
  await rm(manifestFolder, { recursive: true });
}

/** Compiles start-script.ts for the browser. */
async function compileStartScript(): Promise<string> {
  const file = resolve(import.meta.dirname, 'start-script.ts');
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, { sourcemap: false });
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

/** A chunk and its imports, dependencies first. */
function withImports(manifest: Manifest, chunk: string, found = new Set<string>()): string[] {
  if (found.has(chunk)) return [];
  found.add(chunk);
  const imports = manifest[chunk]?.imports ?? [];
  return [...imports.flatMap((file) => withImports(manifest, file, found)), chunk];
}

async function writePages(startScript: string) {
  const { renderPage, renderLoadingPage }: PageRenderer = await import(
    pathToFileURL(resolve(dist, 'render.js')).href
  );
  const finish = async (path: string, facts?: PageFacts) => withOwnStyles(await renderPage(path, facts));
  const files = {
    'index.html': await finish('/'),
    'about.html': await finish('/about'),
    'privacidade.html': await finish('/privacidade'),
    'login.html': await finish('/login'),
    'login-google.html': await finish('/login', { google: true }),
    'recover.html': await finish('/login/recover'),
    'register.html': await finish('/register'),
    'register-google.html': await finish('/register', { google: true }),
    '404.html': await finish('/404'),
    'app.html': await renderLoadingPage(),
  };
  for (const [file, html] of Object.entries(files)) await writeFile(resolve(site, file), html);

  const finished = (pattern: string, file: keyof typeof files, status: 200 | 404 = 200): SitePage => ({
    pattern,
    status,
    file,
  });
  const manifest: SiteManifest = {
    startScriptHash: `sha256-${createHash('sha256').update(startScript).digest('base64')}`,
    pages: [
      { ...finished('/', 'index.html'), indexed: true },
      { ...finished('/about', 'about.html'), indexed: true },
      { pattern: '/practices', status: 200, render: 'practices', indexed: true },
      { ...finished('/privacidade', 'privacidade.html'), indexed: true },
      { ...finished('/login', 'login.html'), fileWithGoogle: 'login-google.html' },
      finished('/login/recover', 'recover.html'),
      { ...finished('/register', 'register.html'), fileWithGoogle: 'register-google.html' },
      ...browserPages.map((path) => finished(path, 'app.html')),
      finished('/login/*', 'app.html', 404),
      finished('*', '404.html', 404),
    ],
  };
  await writeFile(resolve(dist, 'pages.json'), JSON.stringify(manifest, undefined, 2));
}

/**
 * The largest page that a new connection carries in one round trip: ten TCP segments of 1,460 bytes
 * (RFC 6928), minus 1,000 bytes for the headers of the response and 200 for those of a proxy.
 */
const firstWindowBytes = 13_400;

/**
 * Inlines the rules that the page's HTML needs, so that the style files load after the first paint. Returns
 * the page unchanged if the result would not fit into the first round trip.
 */
async function withOwnStyles(html: string): Promise<string> {
  const links = [...html.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)">\s*/g)];
  const files = links.map(([, file = '']) => file);
  const css = await Promise.all(files.map((file) => readFile(resolve(site, file.slice(1)), 'utf8')));
  const page = links
    .reduce((text, [link]) => text.replace(link, ''), html)
    .replace('</head>', () => `<style>${stylesFor(html, css.join(''))}</style></head>`)
    .replace(' data-files="', () => ` data-styles="${files.join(' ')}" data-files="`);
  return (await toBestBrotli(page)).length <= firstWindowBytes ? page : html;
}

/** Paths of pages that only the browser renders. */
const browserPages = [
  '/carta/confirmar',
  '/carta/sair',
  '/logout',
  '/entrar-com-google',
  '/email-confirmado',
  '/nova-senha',
  '/primeiro-acesso',
  '/account',
  '/pro',
  '/admin',
  '/admin/newact',
  '/admin/editact',
  '/admin/mind',
  '/admin/move',
  '/admin/nutri',
  '/admin/values',
  '/admin/users',
  '/participants',
];

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
