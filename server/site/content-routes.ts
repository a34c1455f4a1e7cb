import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { paths, routes } from '#contract/paths.ts';
import { checkSection } from '#contract/site/checks.ts';
import { type SectionName, sectionNames } from '#contract/site/content.ts';
import { publishInput } from '#contract/site/draft.ts';
import { requireSession } from '../auth/guards.ts';
import { oncePerVersion } from '../concurrency.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { parse } from '../http/parse.ts';
import { requiredTag, sendPrivate } from '../http/send-document.ts';
import { type ContentSource, findVersionUpTo } from './content.ts';
import { type CachedDocument, createCachedDocument, revalidate, sendCachedDocument } from './document.ts';
import {
  type DeleteFiles,
  discardSection,
  eraseVersion,
  listVersions,
  publishDraft,
  readDraft,
  restoreVersion,
  saveSection,
} from './drafts.ts';
import type { PreviewLinks } from './preview.ts';

const version = z.coerce.number().check(z.int(), z.nonnegative(), z.lte(2 ** 31 - 1));
const contentQuery = z.object({ version: z.optional(version) });
const versionParams = z.object({ version });
/**
 * For this time after a publication, visitors whose browser still shows the version before can read it. An
 * older version can contain what the clinic has removed, for example a private phone number.
 */
const keptPublicMs = 60 * 60_000;
const forAnHour = `public, max-age=${keptPublicMs / 1_000}`;
/** Enough for the longest section, which has fifty questions with their answers. */
const sectionBytes = 512 * 1024;

/** Registers the routes of the site content. */
export async function contentRoutes(
  app: FastifyInstance,
  {
    database,
    content,
    previewLinks,
    deleteFiles,
    removeDiscarded,
  }: {
    database: Database;
    content: ContentSource;
    previewLinks: PreviewLinks;
    deleteFiles: DeleteFiles;
    /** Removes the contents of deleted files. */
    removeDiscarded: () => Promise<void>;
  },
) {
  const documentOf = oncePerVersion<CachedDocument>();

  app.get(routes.siteContent, async (request, reply) => {
    const { version } = parse(contentQuery, request.query);
    const newest = await content.read();
    if (version === undefined || version === newest.version) {
      // Version 0 is the sample content, which an update of this program can change.
      const caching = version !== undefined && version > 0 ? forAnHour : revalidate;
      const document = await documentOf(newest.version, async () =>
        createCachedDocument(JSON.stringify(newest), 'application/json; charset=utf-8'),
      );
      return sendCachedDocument(request, reply, { document, caching });
    }
    const older = version === newest.version - 1 && (await content.findRecent(version, keptPublicMs));
    if (!older) throw new AppError('request/not-found');
    // Only the newest version stays in memory, compressed. The older one is sent without compression, so that
    // an attacker cannot make the server compress it again and again.
    return reply.header('cache-control', version > 0 ? forAnHour : revalidate).send(older);
  });

  app.get(paths.site.draft, async (_request, reply) => {
    const draft = await readDraft(database);
    return sendPrivate(reply.header('etag', draft.tag), draft);
  });

  app.put(routes.siteSection, { bodyLimit: sectionBytes }, async (request, reply) => {
    const section = sectionFrom(request);
    const tag = requiredTag(request);
    const { content: checked, mistakes } = checkSection(section, request.body);
    if (mistakes.length > 0) throw new AppError('request/invalid', { issues: mistakes });
    const saved = await saveSection(database, {
      section,
      tag,
      // A draft with problems is stored as it was sent.
      content: checked ?? (request.body as NonNullable<typeof checked>),
      ...editorOf(request),
    });
    return sendPrivate(reply.header('etag', saved.tag), saved);
  });

  app.delete(routes.siteSection, async (request, reply) => {
    const discard = { section: sectionFrom(request), tag: requiredTag(request), ...editorOf(request) };
    const published = await discardSection(database, discard);
    return sendPrivate(reply.header('etag', published.tag), published);
  });

  app.post(paths.site.publish, async (request, reply) => {
    const tag = requiredTag(request);
    const input = parse(publishInput, request.body);
    const { uid: publisherId } = requireSession(request);
    return sendPrivate(reply, await publishDraft(database, { ...input, tag, publisherId }));
  });

  app.post(paths.site.preview, async (_request, reply) => sendPrivate(reply, previewLinks.create()));

  app.get(paths.site.versions, async (_request, reply) =>
    sendPrivate(reply, { versions: await listVersions(database) }),
  );

  app.get(routes.siteVersion, async (request, reply) => {
    const { version } = parse(versionParams, request.params);
    return sendPrivate(reply, await findVersionUpTo(database, version));
  });

  app.delete(routes.siteVersion, async (request, reply) => {
    const { version } = parse(versionParams, request.params);
    await eraseVersion(database, version, deleteFiles);
    // The files are already deleted. If the store is unreachable, the clean-up removes the contents later.
    await removeDiscarded().catch(() => {});
    request.noteSecurity('version of the site erased', { by: requireSession(request).uid, version });
    return reply.code(204).send();
  });

  app.post(routes.siteRestore, async (request, reply) => {
    const { version } = parse(versionParams, request.params);
    const { uid: editorId } = requireSession(request);
    await restoreVersion(database, { version, tag: requiredTag(request), editorId });
    return reply.code(204).send();
  });
}

function editorOf(request: FastifyRequest) {
  const { uid, member } = requireSession(request);
  return { editorId: uid, byAdmin: member === 'admin' };
}

/** @throws AppError `documents/not-found` */
function sectionFrom(request: FastifyRequest): SectionName {
  const { section } = request.params as { section: string };
  const name = sectionNames.find((known) => known === section);
  if (!name) throw new AppError('documents/not-found');
  return name;
}
