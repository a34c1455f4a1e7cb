import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Access, access } from '../access.ts';
import { AppError } from '../errors.ts';
import { type Auth, authHeaders, type Session } from './better-auth.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** Who asks; `undefined` for a visitor. Known on every route that not everyone may call. */
    session: Session | undefined;
  }
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Puts the row of access.ts in front of every route registered after this call, and an Origin check
 * in front of every change. Both run before a body is read.
 * @param origins the origins that may send changes
 */
export function guardRoutes(app: FastifyInstance, auth: Auth, origins: ReadonlySet<string>) {
  app.decorateRequest('session', undefined);

  app.addHook('onRoute', (route) => {
    const method = route.method === 'HEAD' ? 'GET' : String(route.method);
    if (method === 'OPTIONS') return;
    const row = access[`${method} ${route.url}`];
    if (!row) throw new Error(`${method} ${route.url} has no row in server/access.ts.`);
    route.config = { ...route.config, access: row };
  });

  app.addHook('onRequest', async (request) => {
    if (changing.has(request.method) && !origins.has(request.headers.origin ?? '')) {
      throw new AppError('request/foreign-origin');
    }
    const row = request.routeOptions.config.access ?? 'everyone';
    if (row === 'everyone') return;
    const { result } = await auth.findSession(authHeaders(request), false);
    request.session = result;
    requireAccess(row, request);
  });
}

/**
 * The session of a route that only signed-in people may call.
 * @throws AppError `auth/unauthenticated`
 */
export function requireSession(request: FastifyRequest): Session {
  if (!request.session) throw new AppError('auth/unauthenticated');
  return request.session;
}

function requireAccess(row: Access, request: FastifyRequest) {
  const { uid, member } = requireSession(request);
  const { uid: wanted } = request.params as { uid?: string };
  const allowed =
    row === 'signed-in' ||
    member === 'admin' ||
    (row === 'member' && member === 'member') ||
    (row === 'self-or-admin' && wanted === uid);
  if (!allowed) throw new AppError('auth/forbidden');
}
