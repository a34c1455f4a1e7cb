import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { paths, preferNoContent, routes } from '#contract/paths.ts';
import {
  adminUserPatch,
  ownUserPatch,
  type UserRecord,
  type UsersPage,
  usersQuery,
  usersSelection,
} from '#contract/user.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import { summarizeDiary } from '../diary/read-entries.ts';
import { AppError } from '../http/errors.ts';
import { parse } from '../http/parse.ts';
import { documentTag, sendDocument, sendPrivate } from '../http/send-document.ts';
import { createLimitedMailer } from '../mail/limited-mailer.ts';
import { noteAccess } from './access-log.ts';
import { exportUsers } from './export-users.ts';
import { listUsers } from './list-users.ts';
import { createUserCursors } from './user-cursors.ts';
import * as users from './users.ts';

/** Registers the routes of user records and mood records. */
export async function userRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database, databaseKind } = context;
  const { publicUrl, smtpUrl } = context.environment;
  const hasMail = smtpUrl !== undefined;
  const mailer = createLimitedMailer(context, app.log);
  const cursors = createUserCursors(context.authSecret, databaseKind);

  app.get(paths.documents.users, async (request, reply) => {
    const { after, limit, ...selection } = parse(usersQuery, request.query);
    const from = after === undefined ? undefined : cursors.read(after, selection);
    const { next, countedIds, documents, ...counted } = await listUsers(database, databaseKind, {
      ...selection,
      place: from?.place,
      limit,
    });
    const totals = from?.totals ?? counted;
    const page: UsersPage = {
      documents: documents.map((user) => ({ ...user, canBeVerified: !hasMail && !user.emailVerified })),
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

  /** Streams all selected users as a file. Each user's access log records the export. */
  app.get(paths.documents.usersCsv, async (request, reply) => {
    const selection = parse(usersSelection, request.query);
    const { uid: actorId } = requireSession(request);
    request.noteSecurity('users exported', { by: actorId });
    reply.type('text/csv; charset=utf-8');
    reply.header('content-disposition', 'attachment; filename="usuarios.csv"');
    reply.header('cache-control', 'no-store');
    return reply.send(Readable.from(exportUsers(database, databaseKind, { selection, actorId })));
  });

  app.get(routes.user, async (request, reply) => {
    const { uid: actorId } = requireSession(request);
    await noteAccess(database, { actorId, subjectIds: [uidOf(request)], action: 'read', what: 'users' });
    const record = await users.getUser(database, uidOf(request));
    return sendDocument(request, reply, record);
  });

  app.patch(routes.user, async (request, reply) => {
    const uid = uidOf(request);
    const patch = parse(userPatchFor(request, uid), request.body);
    if ('emailVerified' in patch && hasMail) throw new AppError('auth/forbidden');
    const { uid: actorId } = requireSession(request);
    const tag = request.headers['if-match']?.trim();
    let promoted: UserRecord | undefined;
    if ('member' in patch && patch.member === 'admin') {
      const { displayName: by } = await users.getUser(database, actorId);
      // Before the change, because a full queue refuses the request.
      app.afterResponse.add(reply, 'mails about a new admin', async () => {
        if (promoted)
          await users.tellAdmins(database, mailer, {
            ...{ email: promoted.email, by, how: 'promotion', publicUrl },
          });
      });
    }
    const { record, madeAdmin } = await users.updateUser(database, databaseKind, {
      ...{ uid, tag, patch, actorId },
    });
    if (madeAdmin) promoted = record;
    if (actorId !== uid) {
      const what = Object.keys(patch).join(' ');
      request.noteSecurity('user changed by admin', { by: actorId, uid, what });
    }
    return sendPrivate(reply.header('etag', documentTag(record)), record);
  });

  app.get(routes.wordMood, async (request, reply) => {
    const uid = uidOf(request);
    const imported = await users.findWordMood(database, uid);
    const diary = await summarizeDiary(context, uid);
    const record = (imported ?? diary) && { ...imported, ...(diary && { diary }) };
    if (record) return sendDocument(request, reply, record);
    if (request.headers.prefer !== preferNoContent) throw new AppError('documents/not-found');
    return reply.header('cache-control', 'no-store').code(204).send();
  });
}

/** Users may change their own name and picture. Admins may change every user's role, flags and category. */
function userPatchFor(request: FastifyRequest, uid: string) {
  const session = requireSession(request);
  if (session.member !== 'admin') return ownUserPatch;
  return session.uid === uid ? z.extend(ownUserPatch, adminUserPatch.shape) : adminUserPatch;
}

/** Reads the `:uid` of the path. Text that cannot be an id, for example with a NUL character, gets 404. */
function uidOf(request: FastifyRequest): string {
  const { uid } = request.params as { uid: string };
  if (!/^[\w-]{1,100}$/.test(uid)) throw new AppError('documents/not-found');
  return uid;
}
