import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mainAxisNamed } from '#contract/axes.ts';
import { AppError } from '../http/errors.ts';
import { queryOf, trimSlashes } from '../http/request-path.ts';
import { loadBuiltSite, pageFor } from './built-site.ts';
import { robotsTxt, sitemapXml } from './crawlers.ts';
import { createCachedDocument, sendCachedDocument } from './document.ts';
import { createPracticesPage, type PracticesLibrary } from './practices-page.ts';

export type SiteOptions = {
  /** The folder of the build, `dist`. */
  distDir: string;
  publicUrl: string;
  /** True if users can sign in with Google. */
  google: boolean;
  library: PracticesLibrary;
};

const yearSeconds = 365 * 24 * 60 * 60;

/** Serves the built site: its pages, its files, and a page with status 404 for everything else. */
export async function siteService(
  app: FastifyInstance,
  { distDir, publicUrl, google, library }: SiteOptions,
) {
  const site = await loadBuiltSite(distDir, { publicUrl, google });
  const practicesPage = createPracticesPage(site.renderPractices, library);
  const robots = createCachedDocument(robotsTxt(publicUrl), 'text/plain; charset=utf-8');
  const sitemap = createCachedDocument(
    sitemapXml(site.manifest, publicUrl),
    'application/xml; charset=utf-8',
  );

  await app.register(fastifyStatic, {
    root: site.filesDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    etag: true,
  });

  app.get('/robots.txt', async (request, reply) => sendCachedDocument(request, reply, { document: robots }));
  app.get('/sitemap.xml', async (request, reply) =>
    sendCachedDocument(request, reply, { document: sitemap }),
  );
  app.get('/practices', async (request, reply) => {
    const { eixo } = request.query as { eixo?: unknown };
    const axis = mainAxisNamed(typeof eixo === 'string' ? eixo : undefined);
    return sendCachedDocument(request, reply, { document: await practicesPage(axis) });
  });

  app.get('/*', async (request, reply) => {
    const { '*': rest } = request.params as { '*': string };
    // Extra slashes at the start could make the path a URL of another host, so they are removed.
    const pathname = `/${trimSlashes(rest)}`;
    if (pathname.startsWith('/api/')) throw new AppError('request/not-found');
    if (pathname !== `/${rest}`) return reply.redirect(encodeURI(pathname) + queryOf(request.url), 308);
    return site.files.has(pathname) ? sendFile(request, reply, pathname) : sendPage(pathname, request, reply);
  });

  function sendPage(pathname: string, request: FastifyRequest, reply: FastifyReply) {
    const page = pageFor(site.manifest, pathname);
    const document = 'file' in page ? site.pages.get(page.file) : undefined;
    if (!document) throw new AppError('request/not-found');
    return sendCachedDocument(request, reply, { document, status: page.status });
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, pathname: string) {
  request.recorded = false;
  // Names under /static/ contain a hash of the content, so the files never change.
  const forever = pathname.startsWith('/static/');
  reply.header('cache-control', forever ? `public, max-age=${yearSeconds}, immutable` : 'public, no-cache');
  return reply.sendFile(pathname.slice(1));
}
