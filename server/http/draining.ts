import type { ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    draining: Draining;
  }
}

export type Draining = ReturnType<typeof prepareDraining>;

/** How long new connections may take to send their first request after the server stops listening. */
const firstRequestMs = 1_000;
const lookMs = 10;

/**
 * Prepares the shutdown. A server that closes an idle connection can destroy a request that is on its way.
 * So before the server closes, it continues to serve for a while and asks clients to close connections, with
 * `Connection: close` in each response. Node also closes new connections whose first request is on its
 * way, so the server stops listening before it closes, and waits for these requests.
 */
export function prepareDraining(app: FastifyInstance) {
  let begun = false;
  // Node then adds the header, even to the responses that Better Auth writes.
  const endConnection = (response: ServerResponse) => {
    if (begun && !response.headersSent) response.shouldKeepAlive = false;
  };
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('onRequest', (_request, { raw }, done) => {
    endConnection(raw);
    done();
  });
  app.addHook('onSend', async (_request, { raw }) => endConnection(raw));
  return {
    hasBegun: () => begun,
    /** Begins to drain, and stops listening after `milliseconds`. Resolves when the server can close. */
    async run(milliseconds: number): Promise<void> {
      begun = true;
      await wait(milliseconds);
      // `close` of http.Server would also close the unused connections.
      Server.prototype.close.call(app.server);
      for (let waited = 0; unused.size > 0 && waited < firstRequestMs; waited += lookMs) await wait(lookMs);
    },
  };
}
