import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * In each turn of the event loop, one in `share` waiting writes continues, so that no write waits for ever.
 */
const share = 8;

/**
 * Lets reads run before writes, which take several times as long. Each write waits twice, on arrival and
 * before its handler, and only a few waiting writes continue in each turn of the event loop. Without this, a
 * read that arrives among many writes would wait for all of them.
 */
export function letReadsFirst(app: FastifyInstance) {
  const waiting: (() => void)[] = [];

  function continueSome() {
    const some = waiting.splice(0, Math.ceil(waiting.length / share));
    if (waiting.length > 0) setImmediate(continueSome);
    for (const next of some) next();
  }

  function takeTurn({ method }: FastifyRequest, _reply: unknown, done: () => void) {
    if (method === 'GET' || method === 'HEAD') return done();
    waiting.push(done);
    if (waiting.length === 1) setImmediate(continueSome);
  }

  app.addHook('onRequest', takeTurn);
  app.addHook('preHandler', takeTurn);
}
