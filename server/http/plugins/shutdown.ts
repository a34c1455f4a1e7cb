import type { ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    draining: Draining;
  }
}

type Draining = {
  hasBegun(): boolean;
  /** Begins to drain, and stops listening after `milliseconds`. Resolves when the server can close. */
  run(milliseconds: number): Promise<void>;
};

/**
 * Once the server has stopped listening, it waits at most this long for first requests and for the rest of
 * bodies.
 */
const lastBytesMs = 1_000;
const checkMs = 10;

/**
 * Prepares a shutdown that loses no request.
 * - A server that closes an idle connection can destroy a request that is on its way. So before this server
 *   closes, it continues to serve for a while, and `Connection: close` in each response asks the client to
 *   close its connection.
 * - `close` of http.Server also closes new connections whose first request is on its way. So the server first
 *   stops listening without closing connections, and waits for these requests.
 * - Some requests get their response before their body has ended. Node would wait for the body, and then
 *   until the client closes the connection. So `run` destroys these connections after `lastBytesMs`.
 */
export function prepareShutdown(app: FastifyInstance): void {
  // Without this, idle keep-alive connections delay shutdown.
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1;
    app.server.keepAliveTimeoutBuffer = 0;
  });
  let begun = false;
  // With `shouldKeepAlive` false, Node adds `Connection: close`, even to the responses that Better Auth
  // writes.
  const endConnection = (response: ServerResponse) => {
    if (begun && !response.headersSent) response.shouldKeepAlive = false;
  };
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    endConnection(response);
  });
  const answeredEarly = new Set<Socket>();
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete && !raw.socket.destroyed) {
      answeredEarly.add(raw.socket);
      raw.once('close', () => answeredEarly.delete(raw.socket));
    }
    done();
  });
  app.addHook('onSend', (_request, { raw }, _body, done) => {
    endConnection(raw);
    done();
  });
  app.decorate('draining', {
    hasBegun: () => begun,
    async run(milliseconds: number): Promise<void> {
      begun = true;
      await wait(milliseconds);
      // `close` of http.Server would also close the unused connections.
      Server.prototype.close.call(app.server);
      const awaited = () => unused.size + answeredEarly.size > 0;
      for (let waited = 0; awaited() && waited < lastBytesMs; waited += checkMs) await wait(checkMs);
      for (const socket of answeredEarly) socket.destroy();
    },
  });
}
