import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    draining: Draining;
  }
}

export type Draining = ReturnType<typeof prepareDraining>;

/**
 * Prepares the shutdown. A server that closes an idle connection can destroy a request that is on its way.
 * So before the server closes, it goes on for a while and asks every client to close its connection, with
 * `Connection: close` in each response.
 */
export function prepareDraining(app: FastifyInstance) {
  let begun = false;
  // Node adds the header, also to the responses that Better Auth writes.
  const endConnection = (response: ServerResponse) => {
    if (begun && !response.headersSent) response.shouldKeepAlive = false;
  };
  app.addHook('onRequest', (_request, { raw }, done) => {
    endConnection(raw);
    done();
  });
  app.addHook('onSend', async (_request, { raw }) => endConnection(raw));
  return {
    hasBegun: () => begun,
    /** Begins, and resolves after `milliseconds`. */
    async run(milliseconds: number): Promise<void> {
      begun = true;
      await wait(milliseconds);
    },
  };
}
