import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * In each turn of the event loop, one in `share` waiting writes continues, so that no write waits for ever.
 */
const share = 8;

/**
 * Writes continue at the latest after this number of turns, even if reads arrive in each of them. A read is
 * usually answered in the turn after its arrival.
 */
const mostTurns = 8;

/**
 * Lets reads run before writes, which take several times as long. Each write waits twice, on arrival and
 * before its handler, until no read has arrived for one turn of the event loop, and only a few waiting writes
 * continue in each turn. Without this, a read that arrives among many writes would wait for all of them.
 */
export function letReadsFirst(app: FastifyInstance) {
  const waiting: (() => void)[] = [];
  let readHasArrived = false;
  let turnsWaited = 0;

  function continueSome() {
    const mustWait = readHasArrived && turnsWaited < mostTurns;
    readHasArrived = false;
    turnsWaited = mustWait ? turnsWaited + 1 : 0;
    const some = mustWait ? [] : waiting.splice(0, Math.ceil(waiting.length / share));
    if (waiting.length > 0) setImmediate(continueSome);
    for (const next of some) next();
  }

  function takeTurn({ method }: FastifyRequest, _reply: unknown, done: () => void) {
    if (method === 'GET' || method === 'HEAD') {
      readHasArrived = true;
      return done();
    }
    waiting.push(done);
    if (waiting.length === 1) setImmediate(continueSome);
  }

  app.addHook('onRequest', takeTurn);
  app.addHook('preHandler', takeTurn);
}
