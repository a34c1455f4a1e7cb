import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { practicesPath } from '#contract/practices/choice.ts';
import { type PageFacts, previewPath } from '#contract/site/document.ts';
import type { Database } from '../database/connect.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import type { BuiltSite } from './built-site.ts';
import { readDraftContent } from './drafts.ts';
import { pageFor, type SitePage } from './pages.ts';
import type { PreviewLinks } from './preview-links.ts';
import { choiceIn, type PracticesLibrary, readPractices, statusOf } from './rendered-pages.ts';

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

/** Serves the pages with the content of the draft, under a URL that expires. */
export async function previewRoutes(app: FastifyInstance, options: PreviewOptions) {
  const { database, links, loadRenderer, library, publicUrl, google, sendOver } = options;

  app.get(`${previewPath}/*`, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    const { '*': rest } = request.params as { '*': string };
    const [token = '', ...parts] = rest.split('/');
    if (!links.isValid(token)) return sendOver(request, reply);

    const page = pageFor(`/${parts.join('/')}`);
    const shown = await readLibrary(page, request);
    const basename = `${previewPath}/${token}`;
    const draft = await readDraftContent(database);
    const facts: PageFacts = { ...draft, ...shown.facts, origin: publicUrl, google, basename };
    const { renderPage, renderLoadingPage } = await loadRenderer();
    const { html, scriptHash, styleHash } =
      page.path === undefined
        ? await renderLoadingPage(facts)
        : await renderPage(shown.path ?? page.path, facts);
    return reply
      .code(shown.status ?? page.status)
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

  /** Reads the practices that the page shows, and returns the path and status that depend on them. */
  async function readLibrary({ path, practiceId }: SitePage, request: FastifyRequest): Promise<Shown> {
    if (practiceId !== undefined) {
      const practicePage = await library.readPage(practiceId);
      return { facts: { practicePage }, status: statusOf(practicePage) };
    }
    if (path !== '/practices') return {};
    const choice = choiceIn(request);
    return { facts: await readPractices(library, choice), path: practicesPath(choice) };
  }
}

type Shown = { facts?: Partial<PageFacts>; path?: string; status?: number };
