import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteRenderer } from '#contract/site.ts';
import type { SiteOptions } from './routes.ts';

const compress = promisify(brotliCompress);
// 11 would take seconds on a long list; 5 is within a few per cent of it.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

type Rendered = { version: number; tag: string; html: Buffer; brotli: Buffer };

/**
 * Answers /practices with the practices in it, for readers without JavaScript and for search engines.
 * Rendered once for each version of the mind list.
 */
export function createPracticesPage(renderer: SiteRenderer, library: SiteOptions['library']) {
  let rendered: Promise<Rendered> | undefined;

  async function render(): Promise<Rendered> {
    const { version, activities } = await library.read();
    const html = Buffer.from(await renderer.renderPractices(activities));
    const tag = createHash('sha256').update(html).digest('base64url').slice(0, 22);
    return { version, tag, html, brotli: await compress(html, quality) };
  }

  /** The page at the list's present version. Requests that come while it is rendered share the work. */
  async function current(): Promise<Rendered> {
    const version = await library.getVersion();
    const known = await rendered?.catch(() => undefined);
    if (known?.version === version) return known;
    rendered = render();
    return rendered;
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { tag, html, brotli } = await current();
    const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const etag = `"${tag}${takesBrotli ? '-br' : ''}"`;
    reply.header('etag', etag).header('cache-control', 'public, no-cache').header('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (takesBrotli) reply.header('content-encoding', 'br');
    return reply.type('text/html; charset=utf-8').send(takesBrotli ? brotli : html);
  };
}
