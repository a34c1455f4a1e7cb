import type { FastifyInstance } from 'fastify';

/**
 * Begins at most one request that changes something in each turn of the event loop. Such requests cost several
 * times as much as reads, so a read that arrives among many of them would otherwise wait for all of them.
 */
export function letReadsFirst(app: FastifyInstance) {
  const waiting: (() => void)[] = [];

  function beginNext() {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(beginNext);
  }

  app.addHook('onRequest', ({ method }, _reply, done) => {
    if (method === 'GET' || method === 'HEAD') return done();
    waiting.push(done);
    if (waiting.length === 1) setImmediate(beginNext);
  });
}
