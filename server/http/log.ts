import type { FastifyBaseLogger } from 'fastify';

/** What services need of the server's log; `console` serves in commands. */
export type Log = Pick<FastifyBaseLogger, 'warn' | 'error'>;
