import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Activity } from '#contract/activity.ts';
import { AppError } from '../errors.ts';
import { type BuiltSite, loadBuiltSite, pageFor } from './built-site.ts';
import { createPracticesPage } from './practices-page.ts';

export type SiteOptions = {
  /** The build's folder, `dist`. */
  distDir: string;
  library: {
    getVersion(): Promise<number>;
    read(): Promise<{ version: number; activities: Activity[] }>;
  };
};

const yearSeconds = 365 * 24 * 60 * 60;

/** The built site: its pages, its files, and a page with status 404 for everything else. */
export async function siteService(app: FastifyInstance, { distDir, library }: SiteOptions) {
  const site = await loadBuiltSite(distDir);
  const practicesPage = createPracticesPage(site.renderer, library);

  await app.register(fastifyStatic, {
    root: site.filesDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    etag: true,
  });

  app.get('/practices', async (request, reply) => practicesPage(request, reply));

  app.get('/*', async (request, reply) => {
    const { '*': rest } = request.params as { '*': string };
    // Without its outer slashes the path cannot be taken for another host's address.
    const pathname = `/${rest.replace(/^\/+|\/+$/g, '')}`;
    if (pathname.startsWith('/api/')) throw new AppError('request/not-found');
    if (pathname !== `/${rest}`) return reply.redirect(encodeURI(pathname), 308);
    return sendFromSite(site, pathname, request, reply);
  });
}

async function sendFromSite(site: BuiltSite, pathname: string, request: FastifyRequest, reply: FastifyReply) {
  if (site.files.has(pathname)) {
    // Names under /static/ carry a hash of their content: they never change.
    const forever = pathname.startsWith('/static/');
    reply.header('cache-control', forever ? `public, max-age=${yearSeconds}, immutable` : 'public, no-cache');
    return reply.sendFile(pathname.slice(1));
  }
  const page = pageFor(site.manifest, pathname);
  if (!('file' in page)) throw new AppError('request/not-found');
  // A conditional answer (304) only ever stands for a page that exists.
  if (page.status === 404) delete request.raw.headers['if-none-match'];
  return reply
    .code(page.status)
    .header('cache-control', 'public, no-cache')
    .sendFile(path.normalize(page.file));
}
