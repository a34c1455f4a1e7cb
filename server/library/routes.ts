import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  activities,
  activityInput,
  activityOrder,
  activityTag,
  isPublic,
  listPartQuery,
} from '#contract/activity.ts';
import { type ListName, listNames, listOf } from '#contract/axes.ts';
import { paths, routes } from '#contract/paths.ts';
import { practiceChoiceIn } from '#contract/practices/choice.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import { parse, queryOf } from '../http/parse.ts';
import {
  encodingFor,
  listTag,
  namesTag,
  requiredTag,
  sendDocument,
  sendPrivate,
  sendPublicDocument,
} from '../http/send-document.ts';
import { isEditor } from '../permissions.ts';
import { countNewUsers, countUsers } from '../users/users.ts';
import * as library from './activities.ts';
import { createAudioFilling, type ReadAudioSeconds, withAudioLength } from './audio-lengths.ts';
import { deleteActivity, listDeletedActivities, restoreActivity } from './deleted-activities.ts';
import {
  addReader,
  createLargeLists,
  keepListBodies,
  type ListBody,
  packedBody,
  toBody,
} from './list-bodies.ts';
import { type PartKind, readPublicList, writeList, writeListPart } from './lists.ts';
import { type PublicPractices, readPracticePage } from './public-practices.ts';
import { reorderList, replaceList } from './replace-list.ts';

const wholeListBytes = 64 * 1024 * 1024;
/** Enough for two times 10,000 ids of 100 characters. */
const orderBytes = 3 * 1024 * 1024;
/** Enough for the longest activity: 340 KB, if each character is a JSON escape of six bytes. */
const activityBytes = 512 * 1024;

type Options = {
  context: AppContext;
  readAudioSeconds: ReadAudioSeconds;
  publicPractices: PublicPractices;
  /** Counts a search among the practices. @throws AppError `auth/too-many-attempts` */
  limitSearch: (request: FastifyRequest) => Promise<void>;
};

/** Registers the routes of the lists of activities. */
export async function libraryRoutes(
  app: FastifyInstance,
  { context, readAudioSeconds, publicPractices, limitSearch }: Options,
) {
  const { database, databaseKind, environment, readVersions, siteContent } = context;
  const bodies = keepListBodies(readVersions, async (list) =>
    writeList(list, await readPublicList(database, list)),
  );
  const largeLists = createLargeLists(database);
  const filling = createAudioFilling(database, readAudioSeconds, app.log);
  app.addHook('onClose', () => filling.idle());
  const saverOf = (request: FastifyRequest): library.Saver => ({
    editorId: requireSession(request).uid,
    origin: environment.publicUrl,
  });

  app.get(routes.activities, async (request, reply) => {
    const list = listFrom(request);
    // Any cache may store the list, but must revalidate it for each request.
    reply.header('cache-control', 'public, no-cache');
    const version = await bodies.version(list);
    if (isKnown(request, version) || !(await largeLists.isLarge(list, version)))
      return newestBody(request, reply, { list, part: 0, bodies, version });
    return reply
      .type('application/json; charset=utf-8')
      .header('etag', listTag(version))
      .send(largeLists.open(list, version));
  });

  /**
   * The page of a list in the admin area first reads the summaries, which lack `content`. It reads the
   * complete items when the user searches. Only admins get summaries with the names of users. These have a
   * URL of their own, so that a browser's cache does not give them to the next user.
   */
  const partsOf = (what: PartKind) =>
    keepListBodies(readVersions, (list, part) => writeListPart(database, databaseKind, { list, what, part }));
  const namedSummaries = partsOf('namedSummaries');
  for (const [route, plainParts] of [
    [routes.activitySummaries, partsOf('summaries')],
    [routes.activityItems, partsOf('items')],
  ] as const) {
    app.get(route, async (request, reply) => {
      const list = listFrom(request);
      const { part, names } = parse(listPartQuery, request.query);
      const isNamed = names !== undefined && route === routes.activitySummaries;
      if (isNamed && requireSession(request).member !== 'admin') throw new AppError('auth/forbidden');
      const parts = isNamed ? namedSummaries : plainParts;
      reply.header('cache-control', 'private, no-cache');
      const version = await parts.version(list);
      return newestBody(request, reply, { list, part, bodies: parts, version });
    });
  }

  app.put(routes.activities, { bodyLimit: wholeListBytes }, async (request, reply) => {
    const list = listFrom(request);
    const version = versionOf(requiredTag(request));
    const { [list]: next } = parse(z.strictObject({ [list]: activities }), request.body);
    const issues = (next ?? []).flatMap(({ axis }, index) =>
      listOf(axis) === list
        ? []
        : [{ path: `${list}.${index}.axis`, message: 'Este eixo fica em outra lista.' }],
    );
    if (issues.length > 0) throw new AppError('request/invalid', { issues });
    const { uid: editorId } = requireSession(request);
    const document = await replaceList(database, { list, version, activities: next ?? [], editorId });
    filling.start();
    return encodedBody(request, reply, toBody(writeList(list, document)));
  });

  app.put(routes.activityOrder, { bodyLimit: orderBytes }, async (request, reply) => {
    await reorderList(database, listFrom(request), parse(activityOrder, request.body));
    return reply.code(204).send();
  });

  app.post(routes.activityItems, { bodyLimit: activityBytes }, async (request, reply) => {
    const list = listFrom(request);
    const input = inputOf(request);
    if (listOf(input.axis) !== list) {
      const message = 'Este eixo fica em outra lista.';
      throw new AppError('request/invalid', { issues: [{ path: 'axis', message }] });
    }
    const saved = await library.createActivity(database, input, saverOf(request));
    const created = await withAudioLength(database, readAudioSeconds, saved);
    return sendPrivate(reply.code(201).header('etag', activityTag(created)), created);
  });

  app.get(routes.activityItem, async (request, reply) => {
    listFrom(request);
    // The activity may have moved to another list. A URL with the old list still works.
    const found = await library.findActivity(database, idOf(request));
    const isHidden = found !== undefined && !isPublic(found);
    if (!found || (isHidden && !isEditor(request.session?.member))) throw new AppError('documents/not-found');
    const tag = activityTag(found);
    reply.header('cache-control', isHidden ? 'no-store' : 'public, no-cache').header('etag', tag);
    return namesTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : found;
  });

  app.put(routes.activityItem, { bodyLimit: activityBytes }, async (request, reply) => {
    const edit = {
      list: listFrom(request),
      id: idOf(request),
      tag: requiredTag(request),
      input: inputOf(request),
      ...saverOf(request),
    };
    const updated = await library.updateActivity(database, edit);
    const saved = await withAudioLength(database, readAudioSeconds, updated);
    return sendPrivate(reply.header('etag', activityTag(saved)), saved);
  });

  app.delete(routes.activityItem, async (request, reply) => {
    const { uid: deletedBy } = requireSession(request);
    await deleteActivity(database, { list: listFrom(request), id: idOf(request), deletedBy });
    return reply.code(204).send();
  });

  app.get(routes.deletedActivities, async (request, reply) => {
    const documents = await listDeletedActivities(database, listFrom(request));
    return sendDocument(request, reply, { documents });
  });

  app.post(routes.activityRestore, async (request, reply) => {
    const restored = await restoreActivity(database, listFrom(request), idOf(request));
    return sendPrivate(reply.header('etag', activityTag(restored)), restored);
  });

  app.get(paths.documents.practices, async (request, reply) => {
    const { needs } = (await siteContent.read()).content.practices;
    const choice = practiceChoiceIn(new URLSearchParams(queryOf(request.url)), needs);
    if (choice.search === '')
      return sendPublicDocument(request, reply, await publicPractices.readPage(choice, needs));
    await limitSearch(request);
    return sendPrivate(reply, await publicPractices.readPage(choice, needs));
  });

  app.get(routes.practicePage, async (request, reply) =>
    sendPublicDocument(request, reply, await readPracticePage(database, idOf(request))),
  );

  app.get(paths.documents.nightPractices, async (request, reply) =>
    sendPublicDocument(request, reply, { documents: await publicPractices.readNight() }),
  );

  app.get(paths.documents.latestActivities, async (request, reply) =>
    sendDocument(request, reply, { documents: await library.listLatest(database) }),
  );

  app.get(paths.documents.counts, async (request, reply) =>
    sendDocument(request, reply, {
      ...(requireSession(request).member === 'admin' && {
        users: await countUsers(database),
        newUsers: await countNewUsers(database, databaseKind),
      }),
      ...(await library.countActivities(database)),
    }),
  );
}

/**
 * Accepts and ignores `audioSeconds`. Only the server sets it, but clients may send it back with the
 * activity.
 */
const sentActivity = z.extend(activityInput, { audioSeconds: z.optional(z.unknown()) });

function inputOf(request: FastifyRequest) {
  const { audioSeconds: _, ...input } = parse(sentActivity, request.body);
  return input;
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!/^[\w-]{1,100}$/.test(id)) throw new AppError('documents/not-found');
  return id;
}

function listFrom(request: FastifyRequest): ListName {
  const { list } = request.params as { list: string };
  const name = listNames.find((known) => known === list);
  if (!name) throw new AppError('documents/not-found');
  return name;
}

/** True if the client already has this version of a list. */
const isKnown = (request: FastifyRequest, version: number) =>
  namesTag(request.headers['if-none-match'], listTag(version));

/** Returns the current body of the list or of a part. Sends a 304 if the client already has this version. */
async function newestBody(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    list,
    part,
    bodies,
    version,
  }: { list: ListName; part: number; bodies: ReturnType<typeof keepListBodies>; version: number },
): Promise<Buffer | FastifyReply> {
  if (isKnown(request, version))
    return reply.header('etag', listTag(version)).header('vary', 'accept-encoding').code(304).send();
  return encodedBody(request, reply, await bodies.read(list, part, version));
}

/** Sets the headers of the body, and returns it compressed with Brotli if the client accepts Brotli. */
async function encodedBody(request: FastifyRequest, reply: FastifyReply, body: ListBody): Promise<Buffer> {
  reply
    .type('application/json; charset=utf-8')
    .header('etag', listTag(body.version))
    .header('vary', 'accept-encoding');
  const packed = encodingFor(request.headers['accept-encoding']) === 'br' ? packedBody(body) : undefined;
  if (packed) reply.header('content-encoding', 'br');
  addReader(body, reply.raw);
  return packed ?? body.json;
}

/** @throws AppError `documents/precondition-failed` for a tag that no version can have */
function versionOf(tag: string): number {
  const version = /^"(\d{1,15})"$/.exec(tag)?.[1];
  if (version === undefined) throw new AppError('documents/precondition-failed');
  return Number(version);
}
