import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../context.ts';
import type { LockKeptFiles } from './files/files.ts';
import { servingRoutes } from './files/serve.ts';
import { resumableRoutes } from './uploads/resumable-routes.ts';
import { type NoteLook, objectRoutes } from './uploads/small-routes.ts';

/**
 * The server reads the rest of a refused body up to this size, so that the client gets the response. For a
 * larger body, or one of unknown size, it closes the connection.
 */
const drainedBytes = 64 * 1024 * 1024;

/** The longest wait at shutdown for a file store that hangs. The process exits after 9 s in any case. */
const endTimeoutMs = 5_000;

/** Registers the file service. */
export async function storageService(
  app: FastifyInstance,
  {
    context,
    noteLook,
    lockKeptFiles,
  }: { context: AppContext; noteLook: NoteLook; lockKeptFiles: LockKeptFiles },
) {
  const closing = new AbortController();
  app.addHook('preClose', async () => {
    closing.abort();
    setTimeout(() => context.fileStore.close(), endTimeoutMs).unref();
  });

  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
    const announced = Number(request.headers['content-length'] ?? 0);
    const endless = 'transfer-encoding' in request.headers;
    if (!request.raw.complete && (endless || announced > drainedBytes)) reply.header('connection', 'close');
  });

  await app.register(objectRoutes, { context, closing: closing.signal, noteLook, lockKeptFiles });
  await app.register(resumableRoutes, { context, closing: closing.signal });
  await app.register(servingRoutes, { context });
}
