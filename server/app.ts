import cors from '@fastify/cors';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { accountExportRoutes, type ListSessions } from './account/export-account.ts';
import { accountRoutes } from './account/routes.ts';
import { createAppCheck } from './auth/app-check/app-check.ts';
import { createAuth } from './auth/auth.ts';
import { emailChangeRoutes } from './auth/email-change/routes.ts';
import { guardRoutes, requireSession } from './auth/guards.ts';
import { invitationRoutes } from './auth/invitations/routes.ts';
import { passkeyRoutes } from './auth/passkeys/routes.ts';
import { limitAttempts } from './auth/rate-limits.ts';
import { authService } from './auth/routes.ts';
import { secondFactorRoutes } from './auth/second-factor/routes.ts';
import { authHeaders } from './auth/sessions/cookies.ts';
import { createStorageBearer } from './auth/sessions/storage-bearer.ts';
import { addBackupMetrics } from './backup/metrics.ts';
import { operationRoutes } from './check/warnings.ts';
import type { AppContext } from './context.ts';
import { diaryRoutes } from './diary/routes.ts';
import { clinicianRoutes } from './diary/sharing/clinician-routes.ts';
import { allowedOrigins } from './environment.ts';
import { favouriteRoutes } from './favourites/favourites.ts';
import { createAfterResponse } from './http/after-response.ts';
import { handleErrors } from './http/errors.ts';
import { fastifyOptions } from './http/fastify-options.ts';
import { networkOf } from './http/networks.ts';
import { logRequests } from './http/plugins/logging.ts';
import { serveMonitoring } from './http/plugins/monitoring.ts';
import { protect } from './http/plugins/protection.ts';
import { letReadsFirst } from './http/plugins/reads-first.ts';
import { prepareShutdown } from './http/plugins/shutdown.ts';
import { createPublicPractices, readPracticePage } from './library/public-practices.ts';
import { libraryRoutes } from './library/routes.ts';
import { readPublicIssue } from './newsletter/issues.ts';
import { newsletterRoutes } from './newsletter/routes.ts';
import { startNewsletterSender } from './newsletter/sender.ts';
import { practiceTotalsRoutes } from './practice-totals/totals.ts';
import { reminderRoutes } from './reminders/routes.ts';
import { startReminderSender } from './reminders/sender.ts';
import { distDir } from './site/built-site.ts';
import { contentRoutes } from './site/content-routes.ts';
import { createPreviewLinks } from './site/preview.ts';
import type { PracticesLibrary } from './site/rendered-pages.ts';
import { siteService } from './site/routes.ts';
import { type ReadPicture, shareImageRoutes } from './site/share-images.ts';
import { lockKeptFiles } from './site/site-files.ts';
import { readAudioSeconds } from './storage/files/audio-length.ts';
import { removeDiscarded } from './storage/files/discarded.ts';
import { deleteFiles, readStoredPicture } from './storage/files/files.ts';
import { storageService } from './storage/routes.ts';
import type { NoteLook } from './storage/uploads/small-routes.ts';
import { noteAccess } from './users/access-log.ts';
import { userRoutes } from './users/routes.ts';

export type ServiceName = 'auth' | 'documents' | 'storage' | 'site';

/**
 * Builds a server with these services. The permissions of their routes are in permissions.ts.
 * @param services all in production; one in development, where each service has its own port
 */
export async function buildApp(
  context: AppContext,
  services: readonly ServiceName[] = ['auth', 'documents', 'storage', 'site'],
): Promise<FastifyInstance> {
  const { environment, database } = context;
  const { publicUrl, trustedProxies } = environment;
  const app: FastifyInstance = fastify(fastifyOptions(environment));
  const origins = allowedOrigins(publicUrl);

  // Hooks run in the order of the following calls. Only the routes that are registered later are guarded.
  handleErrors(app);
  letReadsFirst(app);
  prepareShutdown(app);
  logRequests(app, context);
  protect(app, { publicUrl, behindProxy: trustedProxies.length > 0 });
  if (services.length === 1)
    await app.register(cors, {
      origin: [...origins],
      credentials: true,
      exposedHeaders: ['etag', 'location', 'retry-after', 'upload-offset', 'upload-length', 'upload-expires'],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    });
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
  guardRoutes(app, { auth, appCheck, bearer, origins, operatorToken: environment.metricsToken });

  await serveMonitoring(app, context, (create, registry) => {
    if (environment.backup) addBackupMetrics(database, create, registry);
  });
  const previewLinks = createPreviewLinks(context.authSecret);
  const publicPractices = createPublicPractices(database, context.readVersions);
  const limitSearch = ({ ip }: FastifyRequest) =>
    limitAttempts(context, ['practiceSearchesByAddress', networkOf(ip)]);
  if (services.includes('auth')) {
    await app.register(authService, { context, auth, appCheck, bearer });
    await app.register(accountRoutes, { context, auth, removeDiscarded: () => removeDiscarded(context) });
    await app.register(secondFactorRoutes, { context, auth });
    await app.register(emailChangeRoutes, { context, auth });
    await app.register(passkeyRoutes, { context, auth });
    await app.register(invitationRoutes, { context, auth });
  }
  if (services.includes('documents')) {
    await app.register(contentRoutes, {
      database,
      content: context.siteContent,
      previewLinks,
      deleteFiles: async (transaction, paths) => void (await deleteFiles(transaction, paths)),
      removeDiscarded: () => removeDiscarded(context),
    });
    const listSessions: ListSessions = (request) =>
      auth.listSessions(authHeaders(request), requireSession(request).id);
    await app.register(userRoutes, { context });
    await app.register(accountExportRoutes, { context, listSessions });
    await app.register(libraryRoutes, {
      context,
      publicPractices,
      limitSearch,
      readAudioSeconds: (file) => readAudioSeconds(context, file),
    });
    await app.register(favouriteRoutes, { context });
    const sender = startNewsletterSender(context, app.log);
    app.addHook('preClose', () => sender.stop());
    await app.register(newsletterRoutes, { context, wakeSender: sender.wake });
    await app.register(diaryRoutes, { context });
    await app.register(clinicianRoutes, {
      context,
      requireProof: (request, proof) =>
        auth.requireProof(requireSession(request), proof, authHeaders(request), {
          recentSignInIsEnough: false,
        }),
    });
    const stopReminders = startReminderSender(context, app.log);
    app.addHook('preClose', stopReminders);
    await app.register(reminderRoutes, { context });
    await app.register(practiceTotalsRoutes, { context });
    await app.register(operationRoutes, { context });
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
      readIssue: (timeZone, id) => readPublicIssue(database, timeZone, id),
    };
    await app.register(shareImageRoutes, { distDir, content: context.siteContent, library, readPicture });
    await app.register(siteService, {
      distDir,
      facts: { origin: publicUrl, google: environment.google !== undefined },
      removesServiceWorker: environment.removesServiceWorker,
      content: context.siteContent,
      database,
      previewLinks,
      library,
      limitSearch,
    });
  }
  return app;
}
