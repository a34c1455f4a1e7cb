import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { activities, activityInput, activityTag, listPartQuery } from '#contract/activity.ts';
import { type ListName, listNames, listOf } from '#contract/axes.ts';
import { paths, routes } from '#contract/paths.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import { encodingFor } from '../http/content-encoding.ts';
import { listTag, namesTag, requiredTag } from '../http/entity-tags.ts';
import { AppError } from '../http/errors.ts';
import { parse } from '../http/parse.ts';
import { sendDocument, sendPrivate } from '../http/send-document.ts';
import { countUsers } from '../users/users.ts';
import * as library from './activities.ts';
import { deleteActivity, restoreActivity } from './deleted-activities.ts';
import { addReader, keepListBodies, type ListBody, packedBody } from './list-bodies.ts';
import { replaceList } from './replace-list.ts';

const wholeListBytes = 64 * 1024 * 1024;
/** The longest activity, with every character as a JSON escape of six bytes, has 340 KB. */
const activityBytes = 512 * 1024;

/** Registers the routes of the lists of activities. */
export async function libraryRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database, databaseKind } = context;
  const bodies = keepListBodies(database, async (list) =>
    library.writeList(list, await library.readList(database, list)),
  );

  app.get(routes.activities, (request, reply) => {
    const list = listFrom(request);
    // Any cache may store the list, but must revalidate it for each request.
    reply.header('cache-control', 'public, no-cache');
    return newestBody(request, reply, { list, part: 0, bodies });
  });

  /** The list's page first reads the parts without texts, and the complete ones when the user searches. */
  for (const [what, route] of [
    ['summaries', routes.activitySummaries],
    ['items', routes.activityItems],
  ] as const) {
    const parts = keepListBodies(database, (list, part) =>
      library.writeListPart(database, databaseKind, { list, what, part }),
    );
    app.get(route, (request, reply) => {
      const list = listFrom(request);
      const { part } = parse(listPartQuery, request.query);
      reply.header('cache-control', 'private, no-cache');
      return newestBody(request, reply, { list, part, bodies: parts });
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
    return encodedBody(request, reply, bodies.keep(list, library.writeList(list, document)));
  });

  app.post(routes.activityItems, { bodyLimit: activityBytes }, async (request, reply) => {
    const list = listFrom(request);
    const input = parse(activityInput, request.body);
    if (listOf(input.axis) !== list) {
      const message = 'Este eixo fica em outra lista.';
      throw new AppError('request/invalid', { issues: [{ path: 'axis', message }] });
    }
    const created = await library.createActivity(database, input, requireSession(request).uid);
    return sendPrivate(reply.code(201).header('etag', activityTag(created)), created);
  });

  app.get(routes.activityItem, async (request, reply) => {
    listFrom(request);
    // The activity may have moved to another list. A URL with the old list still works.
    const found = await library.getActivity(database, idOf(request));
    const tag = activityTag(found);
    reply.header('cache-control', 'public, no-cache').header('etag', tag);
    return namesTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : found;
  });

  app.put(routes.activityItem, { bodyLimit: activityBytes }, async (request, reply) => {
    const edit = {
      list: listFrom(request),
      id: idOf(request),
      tag: requiredTag(request),
      input: parse(activityInput, request.body),
      editorId: requireSession(request).uid,
    };
    const saved = await library.updateActivity(database, edit);
    return sendPrivate(reply.header('etag', activityTag(saved)), saved);
  });

  app.delete(routes.activityItem, async (request, reply) => {
    await deleteActivity(database, listFrom(request), idOf(request));
    return reply.code(204).send();
  });

  app.post(routes.activityRestore, async (request, reply) => {
    const restored = await restoreActivity(database, listFrom(request), idOf(request));
    return sendPrivate(reply.header('etag', activityTag(restored)), restored);
  });

  app.get(paths.documents.latestActivities, async (request, reply) =>
    sendDocument(request, reply, { documents: await library.listLatest(database) }),
  );

  app.get(paths.documents.counts, async (request, reply) =>
    sendDocument(request, reply, {
      users: await countUsers(database),
      ...(await library.countActivities(database)),
    }),
  );
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

/** Returns the current body of the list or of a part. Sends a 304 if the client already has this version. */
async function newestBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { list, part, bodies }: { list: ListName; part: number; bodies: ReturnType<typeof keepListBodies> },
): Promise<Buffer | FastifyReply> {
  const version = await bodies.version(list);
  const tag = listTag(version);
  if (namesTag(request.headers['if-none-match'], tag))
    return reply.header('etag', tag).header('vary', 'accept-encoding').code(304).send();
  return encodedBody(request, reply, await bodies.read(list, part, version));
}

/** Sets the headers of the body, and returns it with Brotli if the client accepts that. */
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
