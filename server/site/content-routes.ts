import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { routes } from '#contract/paths.ts';
import { AppError } from '../http/errors.ts';
import { parse } from '../http/parse.ts';
import type { ContentSource, PublishedContent } from './content.ts';
import { createCachedDocument, perVersion, sendCachedDocument } from './document.ts';

const query = z.object({ version: z.optional(z.coerce.number().check(z.int(), z.nonnegative())) });

/** The API of the site's content. */
export async function contentRoutes(app: FastifyInstance, { content }: { content: ContentSource }) {
  const toDocument = perVersion((published: PublishedContent) =>
    createCachedDocument(JSON.stringify(published), 'application/json; charset=utf-8'),
  );
  app.get(routes.siteContent, async (request, reply) => {
    const { version } = parse(query, request.query);
    const published = await content.read();
    if (version !== undefined && version !== published.version) throw new AppError('request/not-found');
    const document = toDocument(published);
    // Version 0 is the sample content, which an update of this program can change.
    return sendCachedDocument(request, reply, { document, forever: version !== undefined && version > 0 });
  });
}
