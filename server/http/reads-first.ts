import type { FastifyInstance, FastifyRequest } from 'fastify';

/** In each turn, one of this many waiting requests continues, so that a long queue cannot wait for ever. */
const share = 8;

/**
 * Lets reads come before the requests that change something, which take several times as long. Such requests
 * wait twice, when they arrive and before their handler, and few of them continue in each turn of the event
 * loop. Otherwise, a read that arrives among many of them would wait for all of them.
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
