import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { appCheckHeader } from '#contract/app-check.ts';
import { storageMessages } from '#contract/storage.ts';
import { AppError } from '../http/errors.ts';
import { appChecked, type Permission, permissions } from '../permissions.ts';
import type { AppCheck } from './app-check/app-check.ts';
import type { Auth } from './auth.ts';
import { authHeaders } from './request-headers.ts';
import type { Session } from './sessions/session.ts';
import type { StorageBearer } from './sessions/storage-bearer.ts';

export type { Session };

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; `undefined` for a visitor. Known on every route that is not for everyone or asks for an app check. */
    session: Session | undefined;
    /** The app-check token that a call of the file service has brought. */
    proofId: string;
  }
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Puts the row of access.ts in front of every route registered after this call, and an Origin check
 * in front of every change, and the app check where it is asked for. All run before a body is read.
 * @param origins the origins that may send changes
 * @param operatorToken what opens the routes of an operator; without one they are not there
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
    const foreign = changing.has(request.method) && !origins.has(request.headers.origin ?? '');
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
    // What everybody may have is read the most: it waits for nothing.
    if (row === 'everyone' && !checked) return;
    const own = route.onRequest ?? [];
    route.onRequest = [(request) => guard(request, row, checked), ...(Array.isArray(own) ? own : [own])];
  });

  async function guard(request: FastifyRequest, row: Permission, checked: boolean) {
    if (row === 'bearer') return requireBearer(request);
    if (row === 'operator') return requireOperator(request);
    const { result } = await auth.findSession(authHeaders(request), false);
    request.session = result;
    if (row !== 'everyone') requireRole(row, request);
    if (checked)
      await appCheck.spendToken(String(request.headers[appCheckHeader] ?? ''), appCheckHolder(result));
  }

  /** @throws AppError `auth/unauthenticated`, `request/not-found` */
  function requireOperator(request: FastifyRequest) {
    if (operatorToken === undefined) throw new AppError('request/not-found');
    const given = digest(request.headers.authorization ?? '');
    if (!timingSafeEqual(given, digest(`Bearer ${operatorToken}`)))
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
      if (uploadId === undefined) request.proofId = await appCheck.spendToken(token, session.id);
      else await appCheck.spendOnUpload(token, session.id, uploadId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'auth/app-check-failed') throw error;
      throw new AppError('storage/unauthorized-app', { message: storageMessages.unauthorizedApp });
    }
  }
}

/**
 * The session of a route that only signed-in people may call.
 * @throws AppError `auth/unauthenticated`
 */
export function requireSession(request: FastifyRequest): Session {
  if (!request.session) throw new AppError('auth/unauthenticated');
  return request.session;
}

/** Whom challenges and tokens of the app check are bound to. */
export const appCheckHolder = (session: Session | undefined) => session?.id ?? 'visitor';

/** Of one length, so that a comparison takes the same time whatever is compared. */
const digest = (text: string) => createHash('sha256').update(text).digest();

function requireRole(row: Permission, request: FastifyRequest) {
  const { uid, member } = requireSession(request);
  const { uid: wanted } = request.params as { uid?: string };
  const allowed =
    row === 'signed-in' ||
    member === 'admin' ||
    (row === 'member' && member === 'member') ||
    (row === 'self-or-admin' && wanted === uid);
  if (!allowed) throw new AppError('auth/forbidden');
}
