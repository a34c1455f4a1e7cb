import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Begins at most one request that changes something in each turn of the event loop, and lets others come first
 * once more before its handler. Such requests take several times as long as reads, so a read that arrives among
 * many of them would otherwise wait for all of them.
 */
export function letReadsFirst(app: FastifyInstance) {
  const waiting: (() => void)[] = [];

  function continueNext() {
    const next = waiting.shift();
    if (waiting.length > 0) setImmediate(continueNext);
    next?.();
  }

  function takeTurn({ method }: FastifyRequest, _reply: unknown, done: () => void) {
    if (method === 'GET' || method === 'HEAD') return done();
    waiting.push(done);
    if (waiting.length === 1) setImmediate(continueNext);
  }

  app.addHook('onRequest', takeTurn);
  app.addHook('preHandler', takeTurn);
}
