import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { OpenSession } from '#contract/account.ts';
import { activities, activityInput, activityTag, listPartQuery } from '#contract/activity.ts';
import { type ListName, listNames, listOf } from '#contract/axes.ts';
import { adminUserPatch, ownUserPatch, type UsersPage, usersQuery, usersSelection } from '#contract/user.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../errors.ts';
import { parse } from '../parse.ts';
import { noteAccess } from './access-log.ts';
import { exportAccount } from './account-export.ts';
import * as library from './activities.ts';
import { deleteActivity, restoreActivity } from './deleted-activities.ts';
import { exportUsers } from './export-users.ts';
import { keepListBodies, type ListBody, packedBody, takesBrotli } from './list-bodies.ts';
import { listUsers } from './list-users.ts';
import { replaceList } from './replace-list.ts';
import { documentTag, listTag, namesTag } from './tags.ts';
import { createUserCursors } from './user-cursors.ts';
import * as people from './users.ts';

const root = '/api/documents';
const wholeListBytes = 64 * 1024 * 1024;

/** The browsers that are signed in to the account of the person who asks; the sign-in service knows them. */
export type ListSessions = (request: FastifyRequest) => Promise<OpenSession[]>;

/** The document service: users, mood records, activities, counts. */
export async function documentService(
  app: FastifyInstance,
  { context, listSessions }: { context: AppContext; listSessions: ListSessions },
) {
  const { database, databaseKind } = context;
  const cursors = createUserCursors(context.authSecret, databaseKind);
  const bodies = keepListBodies(database, async (list) =>
    library.writeList(list, await library.readList(database, list)),
  );

  app.get(`${root}/users`, async (request, reply) => {
    const { after, limit, ...selection } = parse(usersQuery, request.query);
    const from = after === undefined ? undefined : cursors.read(after, selection);
    const { next, countedIds, documents, ...counted } = await listUsers(database, databaseKind, {
      ...selection,
      ...{ place: from?.place, limit },
    });
    const totals = from?.totals ?? counted;
    const page: UsersPage = {
      documents,
      next: next ? cursors.write(selection, next, totals) : null,
      ...totals,
    };
    const shownIds = documents.map(({ id }) => id);
    const subjectIds = from ? shownIds : [...shownIds, ...countedIds];
    await noteAccess(database, {
      actorId: requireSession(request).uid,
      subjectIds,
      action: 'read',
      what: 'users',
    });
    return sendDocument(request, reply, page);
  });

  /** All of them as a file, sent while it is read; each person's access log says so. */
  app.get(`${root}/users.csv`, async (request, reply) => {
    const selection = parse(usersSelection, request.query);
    const { uid: actorId } = requireSession(request);
    request.log.info({ by: actorId }, 'users exported');
    reply.type('text/csv; charset=utf-8');
    reply.header('content-disposition', 'attachment; filename="usuarios.csv"');
    reply.header('cache-control', 'no-store');
    return reply.send(Readable.from(exportUsers(database, databaseKind, { selection, actorId })));
  });

  app.get(`${root}/users/:uid`, async (request, reply) => {
    await noteRead(request, 'users');
    const record = await people.getUser(database, uidOf(request));
    return sendDocument(request, reply, record);
  });

  app.patch(`${root}/users/:uid`, async (request, reply) => {
    const uid = uidOf(request);
    const patch = parse(userPatchFor(request, uid), request.body);
    const { uid: actorId } = requireSession(request);
    const tag = request.headers['if-match']?.trim();
    const record = await people.updateUser(database, databaseKind, { uid, tag, patch, actorId });
    if (actorId !== uid) {
      const what = Object.keys(patch).join(' ');
      request.log.info({ by: actorId, uid, what }, 'user changed by admin');
    }
    return sendPrivate(reply.header('etag', documentTag(record)), record);
  });

  app.get(`${root}/wordMood/:uid`, async (request, reply) => {
    // Noted first: that there is no record is personal data, too.
    await noteRead(request, 'wordMood');
    const record = await people.getWordMood(database, uidOf(request));
    return sendDocument(request, reply, record);
  });

  /** Everything kept about the person who asks, as a file. */
  app.get(`${root}/account-export`, async (request, reply) => {
    const { uid } = requireSession(request);
    const sessions = await listSessions(request);
    reply.header('content-disposition', 'attachment; filename="meus-dados.json"');
    return sendPrivate(reply, await exportAccount(database, uid, sessions));
  });

  app.get(`${root}/activities/:list`, (request, reply) => {
    const list = listFrom(request);
    // Anyone may keep a copy, but asks each time whether it is still the newest.
    reply.header('cache-control', 'public, no-cache');
    return newestBody(request, reply, { list, part: 0, bodies });
  });

  /** The list as its page reads it: without the texts at once, and whole when somebody searches. */
  for (const what of ['summaries', 'items'] as const) {
    const parts = keepListBodies(database, (list, part) =>
      library.writeListPart(database, databaseKind, { list, what, part }),
    );
    app.get(`${root}/activities/:list/${what}`, (request, reply) => {
      const list = listFrom(request);
      const { part } = parse(listPartQuery, request.query);
      reply.header('cache-control', 'private, no-cache');
      return newestBody(request, reply, { list, part, bodies: parts });
    });
  }

  app.put(`${root}/activities/:list`, { bodyLimit: wholeListBytes }, async (request, reply) => {
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

  app.post(`${root}/activities/:list/items`, async (request, reply) => {
    const list = listFrom(request);
    const input = parse(activityInput, request.body);
    if (listOf(input.axis) !== list) {
      const message = 'Este eixo fica em outra lista.';
      throw new AppError('request/invalid', { issues: [{ path: 'axis', message }] });
    }
    const created = await library.createActivity(database, input, requireSession(request).uid);
    return sendPrivate(reply.code(201).header('etag', activityTag(created)), created);
  });

  app.get(`${root}/activities/:list/items/:id`, async (request, reply) => {
    listFrom(request);
    // Whichever list it is in by now: an address copied before it moved still leads to it.
    const found = await library.getActivity(database, idOf(request));
    const tag = activityTag(found);
    reply.header('cache-control', 'public, no-cache').header('etag', tag);
    return namesTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : found;
  });

  app.put(`${root}/activities/:list/items/:id`, async (request, reply) => {
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

  app.delete(`${root}/activities/:list/items/:id`, async (request, reply) => {
    await deleteActivity(database, listFrom(request), idOf(request));
    return reply.code(204).send();
  });

  /** Takes a deletion back. */
  app.post(`${root}/activities/:list/items/:id/restore`, async (request, reply) => {
    const restored = await restoreActivity(database, listFrom(request), idOf(request));
    return sendPrivate(reply.header('etag', activityTag(restored)), restored);
  });

  app.get(`${root}/latest-activities`, async (request, reply) =>
    sendDocument(request, reply, { documents: await library.listLatest(database) }),
  );

  app.get(`${root}/counts`, async (request, reply) =>
    sendDocument(request, reply, await people.countAll(database)),
  );

  async function noteRead(request: FastifyRequest, what: string) {
    const { uid: actorId } = requireSession(request);
    await noteAccess(database, { actorId, subjectIds: [uidOf(request)], action: 'read', what });
  }
}

/** A person may change the own name and picture; an admin may change everybody's flags. */
function userPatchFor(request: FastifyRequest, uid: string) {
  const session = requireSession(request);
  if (session.member !== 'admin') return ownUserPatch;
  return session.uid === uid ? z.extend(ownUserPatch, adminUserPatch.shape) : adminUserPatch;
}

/** Text that no id of ours can be (a NUL, say) is the name of nothing. */
function uidOf(request: FastifyRequest): string {
  const { uid } = request.params as { uid: string };
  if (!/^[\w-]{1,100}$/.test(uid)) throw new AppError('documents/not-found');
  return uid;
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

/** The list, or the part of it, to send; where the one who asks has this version already, a 304 is sent. */
async function newestBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { list, part, bodies }: { list: ListName; part: number; bodies: ReturnType<typeof keepListBodies> },
): Promise<Buffer | FastifyReply> {
  const version = await bodies.version(list);
  const tag = listTag(version);
  if (namesTag(request.headers['if-none-match'], tag))
    return reply.header('etag', tag).header('vary', 'accept-encoding').code(304).send();
  const body = bodies.read(list, part, version);
  return encodedBody(request, reply, body instanceof Promise ? await body : body);
}

/** What to send of a list, with the headers that go with it. */
function encodedBody(request: FastifyRequest, reply: FastifyReply, body: ListBody): Buffer | Promise<Buffer> {
  reply
    .type('application/json; charset=utf-8')
    .header('etag', listTag(body.version))
    .header('vary', 'accept-encoding');
  const packed = takesBrotli(request.headers['accept-encoding']) ? packedBody(body) : undefined;
  if (packed) reply.header('content-encoding', 'br');
  return packed ?? body.json;
}

/** @throws AppError `request/precondition-required` when the change does not say what it is based on */
function requiredTag(request: FastifyRequest): string {
  const tag = request.headers['if-match']?.trim();
  if (!tag) throw new AppError('request/precondition-required');
  return tag;
}

/** @throws AppError `documents/precondition-failed` for a tag that no version ever had */
function versionOf(tag: string): number {
  const version = /^"(\d{1,15})"$/.exec(tag)?.[1];
  if (version === undefined) throw new AppError('documents/precondition-failed');
  return Number(version);
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, document: object) {
  const tag = documentTag(document);
  reply.header('etag', tag);
  if (!namesTag(request.headers['if-none-match'], tag)) return sendPrivate(reply, document);
  return reply.header('cache-control', 'no-store').code(304).send();
}

/** Personal or administrative: no cache on the way keeps a copy. */
function sendPrivate(reply: FastifyReply, document: object) {
  return reply.header('cache-control', 'no-store').send(document);
}
