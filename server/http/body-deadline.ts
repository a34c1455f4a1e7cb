import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body may take its time, as long as it comes. */
    upload?: boolean;
  }
}

const tickMs = 1_000;
const deadlineTicks = 10;
/** What an upload has to bring in that time: the slowest mobile networks do. */
const progressBytes = 4 * 1024;

/**
 * Ends requests whose body does not arrive: after ten seconds, or, of an upload, once ten seconds brought next to
 * nothing. Node's own time-out knows no exception, and so none is set there.
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
      // Seconds in which the server itself stood still, waiting for a busy disk, pass as one.
      ticks += 1;
      if (ticks % deadlineTicks !== 0) return;
      // What waits here unread is the server's delay, not the client's.
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
