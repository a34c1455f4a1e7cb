import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { appCheckHeader } from '#contract/app-check.ts';
import { kindOfFile, storageMessages } from '#contract/storage.ts';
import { userHeader } from '#contract/user.ts';
import { AppError } from '../http/errors.ts';
import { equalInConstantTime } from '../http/tokens.ts';
import { appChecked, fromAnyOrigin, isEditor, type Permission, permissions } from '../permissions.ts';
import type { AppCheck } from './app-check/app-check.ts';
import type { Auth } from './auth.ts';
import { authHeaders } from './sessions/cookies.ts';
import type { Session } from './sessions/session.ts';
import type { StorageBearer } from './sessions/storage-bearer.ts';

export type { Session };

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's session; `undefined` for a visitor, and in routes for `everyone` without an app check. */
    session: Session | undefined;
    /**
     * The id of the app-check token that came with a call to the file service; empty for calls with an
     * `uploadId`.
     */
    proofId: string;
  }
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Adds checks to every route that is registered after this call: the permissions in permissions.ts, the
 * Origin of requests that change something, and the app check where a route needs it. All checks run before
 * the body is read.
 * @param origins the origins that may send changes
 * @param operatorToken the bearer token of `operator` routes, which respond with 404 if it is `undefined`
 */
export function guardRoutes(
  app: FastifyInstance,
  {
    auth,
    appCheck,
    bearer,
    origins,
    operatorToken,
  }: {
    auth: Auth;
    appCheck: AppCheck;
    bearer: StorageBearer;
    origins: ReadonlySet<string>;
    operatorToken: string | undefined;
  },
) {
  app.decorateRequest('session', undefined);
  app.decorateRequest('proofId', '');

  app.addHook('onRequest', (request, _reply, done) => {
    const foreign =
      changing.has(request.method) &&
      !origins.has(request.headers.origin ?? '') &&
      !fromAnyOrigin.has(`${request.method} ${request.routeOptions.url}`);
    done(foreign ? new AppError('request/foreign-origin') : undefined);
  });

  app.addHook('onRoute', (route) => {
    const method = String(route.method);
    if (method === 'OPTIONS') return;
    const row =
      permissions[`${method} ${route.url}`] ??
      (method === 'HEAD' ? permissions[`GET ${route.url}`] : undefined);
    if (!row) throw new Error(`${method} ${route.url} has no row in server/permissions.ts.`);
    const checked = appChecked.has(`${method} ${route.url}`);
    // Public routes skip the session lookup, because they have the most requests.
    if (row === 'everyone' && !checked) return;
    const own = route.onRequest ?? [];
    route.onRequest = [(request) => guard(request, row, checked), ...(Array.isArray(own) ? own : [own])];
  });

  async function guard(request: FastifyRequest, row: Permission, checked: boolean) {
    if (row === 'bearer') return requireBearer(request);
    if (row === 'operator') return requireOperator(request);
    const { result } = await auth.findSession(authHeaders(request), false);
    request.session = result;
    const pageUser = request.headers[userHeader];
    if (pageUser !== undefined && result && pageUser !== result.uid) throw new AppError('auth/other-user');
    if (row !== 'everyone' && row !== 'everyone-known') requireRole(row, request);
    if (checked)
      await appCheck.spendToken(String(request.headers[appCheckHeader] ?? ''), appCheckHolder(result));
  }

  /** @throws AppError `auth/unauthenticated`, `request/not-found` */
  function requireOperator(request: FastifyRequest) {
    if (operatorToken === undefined) throw new AppError('request/not-found');
    const given = digest(request.headers.authorization ?? '');
    if (!equalInConstantTime(given, digest(`Bearer ${operatorToken}`)))
      throw new AppError('auth/unauthenticated');
  }

  /** @throws AppError `storage/unauthenticated`, `storage/unauthorized-app` */
  async function requireBearer(request: FastifyRequest) {
    const session = await bearer.findSession(request.headers.authorization ?? '');
    if (!session) throw new AppError('storage/unauthenticated', { message: storageMessages.unauthenticated });
    request.session = session;
    const token = String(request.headers[appCheckHeader] ?? '');
    const { uploadId } = request.params as { uploadId?: string };
    if (uploadId !== undefined && !/^[\w-]{1,64}$/.test(uploadId))
      throw new AppError('storage/object-not-found', {
        message: storageMessages.objectNotFound(uploadId.slice(0, 64)),
      });
    try {
      const { path } = request.query as { path?: unknown };
      const isFile = uploadId === undefined && typeof path === 'string' && kindOfFile(path) !== undefined;
      if (isFile && (await appCheck.isOfFile(token, session, path))) return;
      if (uploadId === undefined) request.proofId = await appCheck.spendToken(token, session.id);
      else await appCheck.spendOnUpload(token, session, uploadId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'auth/app-check-failed') throw error;
      throw new AppError('storage/unauthorized-app', { message: storageMessages.unauthorizedApp });
    }
  }
}

/**
 * Returns the session of a request whose route needs one.
 * @throws AppError `auth/unauthenticated`
 */
export function requireSession(request: FastifyRequest): Session {
  if (!request.session) throw new AppError('auth/unauthenticated');
  return request.session;
}

/** The holder to which challenges and tokens of the app check are bound; the same for all visitors. */
export const appCheckHolder = (session: Session | undefined) => session?.id ?? visitorHolder;
export const visitorHolder = 'visitor';

/** Digests have equal lengths, so the comparison takes constant time. */
const digest = (text: string) => createHash('sha256').update(text).digest();

function requireRole(row: Permission, request: FastifyRequest) {
  const { uid, member } = requireSession(request);
  const { uid: wanted } = request.params as { uid?: string };
  const isSelf = wanted === uid;
  // Not 403, so that the response is the same as for a clinician whom the patient allows nothing.
  if (row === 'clinician' && member !== 'admin') throw new AppError('documents/not-found');
  const allowed =
    row === 'signed-in' ||
    (row === 'self' ? isSelf : member === 'admin') ||
    (row === 'editor' && isEditor(member)) ||
    (row === 'self-or-admin' && isSelf);
  if (!allowed) throw new AppError('auth/forbidden');
}
