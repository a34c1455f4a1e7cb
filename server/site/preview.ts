import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { listOf } from '#contract/axes.ts';
import { type PageFacts, previewPath } from '#contract/site/document.ts';
import type { Database } from '../database/connect.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import type { BuiltSite } from './built-site.ts';
import { readDraftContent } from './drafts.ts';
import { pageFor } from './pages.ts';
import type { PreviewLinks } from './preview-links.ts';
import { axisIn, type PracticesLibrary } from './rendered-pages.ts';

type PreviewOptions = {
  database: Database;
  links: PreviewLinks;
  loadRenderer: BuiltSite['loadRenderer'];
  library: PracticesLibrary;
  publicUrl: string;
  google: boolean;
  /** Sends the page that says that a link is no longer valid. */
  sendOver: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
};

/** Serves the pages with the draft, under an address that expires. */
export async function previewRoutes(app: FastifyInstance, options: PreviewOptions) {
  const { database, links, loadRenderer, library, publicUrl, google, sendOver } = options;

  app.get(`${previewPath}/*`, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    const { '*': rest } = request.params as { '*': string };
    const [token = '', ...parts] = rest.split('/');
    if (!links.isValid(token)) return sendOver(request, reply);

    const page = pageFor(`/${parts.join('/')}`);
    const basename = `${previewPath}/${token}`;
    const facts: PageFacts = { ...(await readDraftContent(database)), origin: publicUrl, google, basename };
    const { renderPage, renderLoadingPage } = await loadRenderer();
    const { html, scriptHash, styleHash } =
      page.path === undefined
        ? await renderLoadingPage(facts)
        : await renderPage(...(await withActivities(page.path, facts, request)));
    return reply
      .code(page.status)
      .headers({
        // The editor shows the preview in a frame.
        'content-security-policy': contentSecurityPolicy({
          script: scriptHash,
          style: styleHash,
          framedBy: "'self'",
        }),
        'x-frame-options': 'SAMEORIGIN',
      })
      .type('text/html; charset=utf-8')
      .send(html);
  });

  async function withActivities(
    path: string,
    facts: PageFacts,
    request: FastifyRequest,
  ): Promise<[path: string, facts: PageFacts]> {
    if (path !== '/practices') return [path, facts];
    const axis = axisIn(request);
    const { activities } = await library.read(listOf(axis));
    return [`${path}?eixo=${axis}`, { ...facts, activities }];
  }
}
