import { randomBytes } from 'node:crypto';
import cors from '@fastify/cors';
import { compile } from '@fastify/proxy-addr';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { accountExportRoutes, type ListSessions } from './account/export-account.ts';
import { accountRoutes } from './account/routes.ts';
import { createAppCheck } from './auth/app-check/app-check.ts';
import { createAuth } from './auth/auth.ts';
import { guardRoutes, requireSession } from './auth/guards.ts';
import { authService } from './auth/routes.ts';
import { secondFactorRoutes } from './auth/second-factor/routes.ts';
import { authHeaders } from './auth/sessions/cookies.ts';
import { createStorageBearer } from './auth/sessions/storage-bearer.ts';
import { addBackupMetrics } from './backup/metrics.ts';
import type { AppContext } from './context.ts';
import { isLocalhost } from './environment.ts';
import { favouriteRoutes } from './favourites/favourites.ts';
import { createAfterResponse } from './http/after-response.ts';
import { limitBodies } from './http/body-deadline.ts';
import { prepareDraining } from './http/draining.ts';
import { AppError, sendError } from './http/errors.ts';
import { serveMetrics } from './http/metrics.ts';
import { createReadiness } from './http/readiness.ts';
import { letReadsFirst } from './http/reads-first.ts';
import { isRecorded, recordRequests } from './http/recorded-requests.ts';
import { isPathTooLong, recordedPath } from './http/request-path.ts';
import { securityHeaders } from './http/security-headers.ts';
import { limitSlowReaders } from './http/slow-readers.ts';
import { createPublicPractices, readPracticePage } from './library/public-practices.ts';
import { libraryRoutes } from './library/routes.ts';
import { newsletterRoutes } from './newsletter/routes.ts';
import { practiceTotalsRoutes } from './practice-totals/totals.ts';
import { distDir } from './site/built-site.ts';
import { contentRoutes } from './site/content-routes.ts';
import { createPreviewLinks } from './site/preview.ts';
import type { PracticesLibrary } from './site/rendered-pages.ts';
import { siteService } from './site/routes.ts';
import { type ReadPicture, shareImageRoutes } from './site/share-images.ts';
import { lockKeptFiles } from './site/site-files.ts';
import { readAudioSeconds } from './storage/files/audio-length.ts';
import { removeDiscarded } from './storage/files/discarded.ts';
import { readStoredPicture } from './storage/files/files.ts';
import { storageService } from './storage/routes.ts';
import type { NoteLook } from './storage/uploads/small-routes.ts';
import { noteAccess } from './users/access-log.ts';
import { userRoutes } from './users/routes.ts';

export type ServiceName = 'auth' | 'documents' | 'storage' | 'site';

/** The default limit of a request body. Routes that accept long texts set their own limit. */
const jsonBodyBytes = 16 * 1024;
const headersTimeoutMs = 8_000;
/** The most proxies between a client and this server. */
const mostProxies = 5;
/**
 * Strangers can cause large numbers of responses with these statuses, so GET and HEAD requests that get one
 * are logged at debug level. The error handler logs the cause of a 503.
 */
const quietStatuses = new Set([404, 414, 503]);

/**
 * Trusts proxies with these addresses or networks, but only the nearest ones: a client can send thousands of
 * addresses in `X-Forwarded-For`.
 */
function trustNearest(proxies: string[]): (address: string, hop: number) => boolean {
  const isTrusted = compile(proxies);
  return (address, hop) => hop < mostProxies && isTrusted(address, hop);
}

/**
 * Builds a server with these services. The permissions of their routes are in permissions.ts.
 * @param services all in production; one in development, where each service has its own port
 */
export async function buildApp(
  context: AppContext,
  services: readonly ServiceName[] = ['auth', 'documents', 'storage', 'site'],
): Promise<FastifyInstance> {
  const { environment, database } = context;
  const app = fastify({
    logger: environment.logLevel === 'silent' ? false : { level: environment.logLevel },
    // Fastify's own log would contain query strings. The `onResponse` hook below logs requests without them.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    trustProxy: environment.trustedProxies.length > 0 && trustNearest(environment.trustedProxies),
    bodyLimit: jsonBodyBytes,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => (isPathTooLong(url) ? '/' : url),
    // No route has a Fastify schema, because the contract's schemas check the input. Without these functions,
    // Fastify would load its own schema compilers at every start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
  });

  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new AppError('request/not-found');
  });
  // Without this, idle keep-alive connections delay shutdown.
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1;
    app.server.keepAliveTimeoutBuffer = 0;
  });
  recordRequests(app);
  letReadsFirst(app);
  const draining = prepareDraining(app);
  app.decorate('draining', draining);
  app.addHook('onRequest', ({ url, originalUrl }, _reply, done) => {
    done(url === originalUrl ? undefined : new AppError('request/path-too-long'));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, originalUrl, ip } = request;
    const path = recordedPath(originalUrl);
    const status = reply.statusCode;
    // Log reads at debug level: most are in the usage records, and the others are only requests for files.
    const quiet = status < 400 || quietStatuses.has(status);
    const level = quiet && (method === 'GET' || method === 'HEAD') ? 'debug' : 'info';
    request.log[level]({ method, path, ip, status, ms: Math.round(reply.elapsedTime) }, 'request');
    if (isRecorded(request)) context.usageRecords.write({ at: new Date(), ip, method, path, status });
    done();
  });

  const headers = securityHeaders(environment.publicUrl);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  const origins = allowedOrigins(environment.publicUrl);
  const alone = services.length === 1;
  if (alone)
    await app.register(cors, {
      origin: [...origins],
      credentials: true,
      exposedHeaders: ['etag', 'location', 'retry-after', 'upload-offset', 'upload-length', 'upload-expires'],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    });

  limitBodies(app);
  limitSlowReaders(app, { behindProxy: environment.trustedProxies.length > 0 });
  const afterResponse = createAfterResponse(app.log);
  app.decorate('afterResponse', afterResponse);
  const auth = createAuth(context, app.log);
  app.addHook('preClose', async () => auth.endWaits());
  // Waits until queued work, such as mails, is done before the server closes.
  app.addHook('onClose', async () => {
    await afterResponse.idle();
    await auth.close();
  });
  const appCheck = createAppCheck(context);
  const bearer = createStorageBearer(context);
  const previewLinks = createPreviewLinks(context.authSecret);
  const publicPractices = createPublicPractices(database, context.readVersions);
  guardRoutes(app, {
    auth,
    appCheck,
    bearer,
    origins,
    operatorToken: environment.metricsToken,
  });
  const requireReady = createReadiness(context);
  await serveMetrics(app, context, requireReady, (create, registry) => {
    if (context.environment.backup) addBackupMetrics(context.database, create, registry);
  });

  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    if (draining.hasBegun()) throw new AppError('server/unavailable');
    await requireReady();
    return { ok: true };
  });
  if (services.includes('auth')) {
    await app.register(authService, { context, auth, appCheck, bearer });
    await app.register(accountRoutes, { context, auth, removeDiscarded: () => removeDiscarded(context) });
    await app.register(secondFactorRoutes, { context, auth });
  }
  if (services.includes('documents')) {
    await app.register(contentRoutes, { database, content: context.siteContent, previewLinks });
    const listSessions: ListSessions = (request) =>
      auth.listSessions(authHeaders(request), requireSession(request).id);
    await app.register(userRoutes, { context });
    await app.register(accountExportRoutes, { context, listSessions });
    await app.register(libraryRoutes, {
      context,
      publicPractices,
      readAudioSeconds: (file) => readAudioSeconds(context, file),
    });
    await app.register(favouriteRoutes, { context });
    await app.register(newsletterRoutes, { context });
    await app.register(practiceTotalsRoutes, { context });
  }
  if (services.includes('storage')) {
    const noteLook: NoteLook = (look) => noteAccess(database, { ...look, action: 'read' });
    await app.register(storageService, { context, noteLook, lockKeptFiles });
  }
  if (services.includes('site')) {
    const readPicture: ReadPicture = (file) => readStoredPicture(context, file);
    const library: PracticesLibrary = {
      ...publicPractices,
      readVersions: context.readVersions,
      readPractice: (id) => readPracticePage(database, id),
    };
    await app.register(shareImageRoutes, { distDir, content: context.siteContent, library, readPicture });
    await app.register(siteService, {
      distDir,
      publicUrl: environment.publicUrl,
      google: environment.google !== undefined,
      content: context.siteContent,
      database,
      previewLinks,
      library,
    });
  }
  return app;
}

/** Creates request ids that are unique across instances: a random prefix and a counter. */
function createRequestIds(): () => string {
  const instance = randomBytes(6).toString('base64url');
  let requests = 0;
  return () => {
    requests += 1;
    return `${instance}-${requests}`;
  };
}

function refuseSchemas(): never {
  throw new Error('No route has a schema of Fastify: parse() checks what comes in.');
}

/** Returns the origins that may send changes: `publicUrl` or, if that is on localhost, all loopback names. */
function allowedOrigins(publicUrl: string): ReadonlySet<string> {
  if (!isLocalhost(publicUrl)) return new Set([publicUrl]);
  const { protocol, port } = new URL(publicUrl);
  const suffix = port && `:${port}`;
  return new Set(['localhost', '127.0.0.1', '[::1]'].map((host) => `${protocol}//${host}${suffix}`));
}
