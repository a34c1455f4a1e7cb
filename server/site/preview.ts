import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { previewPath, type SiteFacts } from '#contract/site/document.ts';
import type { Database } from '../database/connect.ts';
import type { ReadVersions } from '../database/versions.ts';
import { createSignedTokens } from '../http/tokens.ts';
import { sendEncoded } from './document.ts';
import { readDraftContent } from './drafts.ts';
import { pageFor } from './pages.ts';
import type { createRenderedPages, Edition } from './rendered-pages.ts';

type PreviewOptions = {
  database: Database;
  readVersions: ReadVersions;
  links: PreviewLinks;
  rendered: ReturnType<typeof createRenderedPages>;
  facts: SiteFacts;
  /** Sends the page that says that a link is no longer valid. */
  sendOver: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
};

/** Serves the pages with the content of the draft, under a URL that expires. */
export async function previewRoutes(app: FastifyInstance, options: PreviewOptions) {
  const { database, readVersions, links, rendered, facts, sendOver } = options;

  app.get(`${previewPath}/*`, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    const { '*': rest } = request.params as { '*': string };
    const [token = '', ...parts] = rest.split('/');
    const until = links.expiryOf(token);
    if (until === undefined) return sendOver(request, reply);

    const basename = `${previewPath}/${token}`;
    const found = await rendered.find(pageFor(`/${parts.join('/')}`), request, readEdition(basename, until));
    if ('redirect' in found) return reply.redirect(found.redirect, 302);
    reply.code(found.status).header('x-frame-options', 'SAMEORIGIN');
    return sendEncoded(request, reply, found.document);
  });

  async function readEdition(basename: string, until: number): Promise<Edition> {
    const { content, draft } = await readVersions();
    return {
      tag: `${content}-${draft}`,
      readFacts: async () => ({ ...(await readDraftContent(database)), site: { ...facts, basename } }),
      preview: { basename, until },
    };
  }
}

const lifeMs = 30 * 60_000;

export type PreviewLinks = ReturnType<typeof createPreviewLinks>;

/** Makes and checks the links of previews. Everyone who has a link sees the draft until the link expires. */
export function createPreviewLinks(authSecret: string) {
  const tokens = createSignedTokens<{ until: number }>(authSecret, 'site preview');
  return {
    /** @returns the path of a preview's home page, and when it expires, in epoch milliseconds */
    create(now = Date.now()): { path: string; expiresAt: number } {
      const expiresAt = now + lifeMs;
      return { path: `${previewPath}/${tokens.write({ until: expiresAt })}/`, expiresAt };
    },

    /** Returns when the link expires, in epoch milliseconds; `undefined` if it is not valid. */
    expiryOf(token: string, now = Date.now()): number | undefined {
      const until = tokens.read(token)?.until ?? 0;
      // A link that expires later than a new one was made before the clock was set back. It is not valid.
      return until > now && until <= now + lifeMs ? until : undefined;
    },
  };
}
