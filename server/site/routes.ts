import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { previewPath, type SiteFacts } from '#contract/site/document.ts';
import type { Identity } from '#contract/site/identity.ts';
import { visitorPages } from '#contract/site/public-pages.ts';
import { professionOf } from '#contract/site/registrations.ts';
import { oncePerVersion } from '../concurrency.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { queryOf } from '../http/parse.ts';
import { openBuiltSite } from './built-site.ts';
import type { ContentSource, PublishedContent } from './content.ts';
import { readSitemap, robotsTxt, sitemapPart } from './crawlers.ts';
import {
  type CachedDocument,
  cacheForever,
  createCachedDocument,
  revalidate,
  sendCachedDocument,
} from './document.ts';
import { pageFor } from './pages.ts';
import { type PreviewLinks, previewRoutes } from './preview.ts';
import { createAssetReader } from './release-assets.ts';
import { createRenderedPages, type Edition, type PracticesLibrary } from './rendered-pages.ts';

/**
 * The cache header for a content delivery network in front of the server (RFC 9213). The network can serve a
 * public page for one minute, and for ten more minutes while it fetches the new page. Browsers ignore this
 * header and revalidate the page at every visit.
 */
const inCdn = 'max-age=60, stale-while-revalidate=600';

type SiteOptions = {
  /** The folder of the build, `dist`. */
  distDir: string;
  facts: SiteFacts;
  /** True to remove the service worker from every device. */
  removesServiceWorker: boolean;
  content: ContentSource;
  library: PracticesLibrary;
  database: Database;
  previewLinks: PreviewLinks;
  /** Counts a search among the practices. @throws AppError `auth/too-many-attempts` */
  limitSearch: (request: FastifyRequest) => Promise<void>;
};

/** Serves the site: its pages, its files, and a page with status 404 for everything else. */
export async function siteService(
  app: FastifyInstance,
  {
    distDir,
    facts,
    removesServiceWorker,
    content,
    library,
    database,
    previewLinks: links,
    limitSearch,
  }: SiteOptions,
) {
  const site = await openBuiltSite(distDir);
  const rendered = createRenderedPages(site.loadRenderer, library, limitSearch);
  const readAsset = createAssetReader(database);
  const robots = createCachedDocument(robotsTxt(facts.origin), 'text/plain; charset=utf-8');
  const serviceWorker = createCachedDocument(
    removesServiceWorker ? workerThatRemovesItself : await site.readServiceWorker(),
    'text/javascript; charset=utf-8',
    // The worker only fetches from this site.
    "default-src 'none';connect-src 'self'",
  );
  const manifestOf = oncePerVersion<CachedDocument>();

  await app.register(fastifyStatic, {
    root: site.filesDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    etag: true,
  });

  app.get('/robots.txt', async (request, reply) => sendCachedDocument(request, reply, { document: robots }));
  app.get('/sitemap.xml', async (request, reply) => {
    const part = new URLSearchParams(queryOf(request.url)).get(sitemapPart);
    const { key, write } = await readSitemap({ publicUrl: facts.origin, library, part });
    const document = await rendered.findOther(key, 'application/xml; charset=utf-8', write);
    return sendCachedDocument(request, reply, { document });
  });
  app.get('/site.webmanifest', async (request, reply) => {
    const { version, content: newest } = await content.read();
    const document = await manifestOf(version, async () =>
      createCachedDocument(
        JSON.stringify(webManifest(newest.identity)),
        'application/manifest+json; charset=utf-8',
      ),
    );
    return sendCachedDocument(request, reply, { document });
  });
  app.get('/sw.js', async (request, reply) =>
    sendCachedDocument(request, reply, { document: serviceWorker, caching: 'no-cache' }),
  );
  await app.register(previewRoutes, {
    database,
    readVersions: library.readVersions,
    links,
    rendered,
    facts,
    sendOver: (request, reply) => sendPage(`${previewPath}/`, request, reply),
  });
  app.get('/*', async (request, reply) => {
    const { '*': rest } = request.params as { '*': string };
    // Extra slashes at the start could make the path a URL of another host, so they are removed.
    const pathname = `/${trimSlashes(rest)}`;
    if (pathname.startsWith('/api/')) throw new AppError('request/not-found');
    if (pathname !== `/${rest}`) return reply.redirect(encodeURI(pathname) + queryOf(request.url), 308);
    if (site.files.has(pathname)) return sendFile(request, reply, pathname);
    const document = await readAsset(pathname);
    if (document === undefined) return sendPage(pathname, request, reply);
    request.recorded = false;
    return sendCachedDocument(request, reply, { document, caching: cacheForever });
  });

  async function sendPage(pathname: string, request: FastifyRequest, reply: FastifyReply) {
    const reading = content.read();
    const page = pageFor(pathname);
    request.pagePattern ??= page.pattern;
    const found = await rendered.find(page, request, editionOf(reading));
    if ('redirect' in found) return reply.header('cache-control', 'no-store').redirect(found.redirect, 302);
    // Search engines must not index the sample content. They may index every published version, because it
    // passed the checks that existed when it was published.
    if ((await reading).version === 0) reply.header('x-robots-tag', 'noindex');
    const isPublic = visitorPages.includes(page.pattern) || page.practiceId !== undefined;
    if (isPublic && found.status === 200 && found.caching === undefined)
      reply.header('cdn-cache-control', inCdn);
    return sendCachedDocument(request, reply, found);
  }

  async function editionOf(reading: Promise<PublishedContent>): Promise<Edition> {
    const published = await reading;
    return { tag: String(published.version), readFacts: async () => ({ ...published, site: facts }) };
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, pathname: string) {
  request.recorded = false;
  // Names under /static/ contain a hash of the content, so the files never change.
  const forever = pathname.startsWith('/static/');
  reply.header('cache-control', forever ? cacheForever : revalidate);
  return reply.sendFile(pathname.slice(1));
}

/**
 * Returns the web app manifest, https://www.w3.org/TR/appmanifest/. With it, phones and computers can install
 * the site. The pictures are the same for every clinic. They are made by `build/icons.ts` and
 * `e2e/offline/screenshots.ts`.
 */
function webManifest(identity: Identity) {
  return {
    name: `${identity.doctorName}, ${professionOf(identity).toLowerCase()}`,
    short_name: identity.shortName,
    lang: 'pt-BR',
    id: '/',
    start_url: '/minha-area',
    scope: '/',
    display: 'standalone',
    background_color: '#faf6ee',
    theme_color: '#faf6ee',
    icons: [
      ...[192, 512].map((side) => ({ ...iconOf(`/icon-${side}.png`, side), purpose: 'any' })),
      { ...iconOf('/icon-maskable.png', 512), purpose: 'maskable' },
    ],
    screenshots: [
      { src: '/screenshot-narrow.webp', sizes: '720x1280', form_factor: 'narrow', label: 'Anotar no diário' },
      { src: '/screenshot-wide.webp', sizes: '1280x800', form_factor: 'wide', label: 'Anotar no diário' },
    ].map((screenshot) => ({ ...screenshot, type: 'image/webp' })),
    shortcuts: [{ name: 'Anotar', url: '/diario/novo', icons: [iconOf('/icon-192.png', 192)] }],
  };
}

const iconOf = (src: string, side: number) => ({ src, sizes: `${side}x${side}`, type: 'image/png' });

/**
 * A service worker that takes the place of a broken one, deletes what it kept, and ends itself. It does not
 * touch databases, where entries of a diary can wait. It shares no code with the worker that it replaces.
 */
const workerThatRemovesItself = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(remove()));
async function remove() {
  for (const name of await caches.keys()) if (name.startsWith('acolhe')) await caches.delete(name);
  await registration.unregister();
}
`;

/** Returns the path without the slashes around it. */
function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}
