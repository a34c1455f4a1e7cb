import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body may arrive as slowly as it needs to, as long as it makes progress. */
    upload?: boolean;
  }
}

const tickMs = 1_000;
const deadlineTicks = 10;
/**
 * The number of bytes that an upload must deliver in every ten seconds. Even slow mobile networks are faster.
 */
const progressBytes = 4 * 1024;

/**
 * Ends requests whose body does not arrive within ten seconds. An upload must instead make progress in every
 * ten seconds. Node's own request time-out cannot differ per route, so it is off.
 */
export function limitBodies(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) watchBody(request);
    done();
  });

  function watchBody({ raw, routeOptions }: FastifyRequest) {
    const { upload = false } = routeOptions.config;
    let received = raw.socket.bytesRead;
    let ticks = 0;
    const watch = setInterval(() => {
      if (raw.complete || raw.destroyed) return clearInterval(watch);
      // Counts ticks instead of elapsed time. At most one tick passes while the event loop is blocked, so a
      // blocked server does not use up the client's time.
      ticks += 1;
      if (ticks % deadlineTicks !== 0) return;
      // If received bytes wait in the stream, the server is slow, not the client.
      const progressed = raw.socket.bytesRead - received >= progressBytes || raw.readableLength > 0;
      received = raw.socket.bytesRead;
      if (upload && progressed) return;
      clearInterval(watch);
      const error = Object.assign(new Error('The body did not arrive in time.'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      app.server.emit('clientError', error, raw.socket);
    }, tickMs);
    watch.unref();
    raw.once('close', () => clearInterval(watch));
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
