import type { FastifyBaseLogger } from 'fastify';

/** The part of the server's log that services use; commands pass `console`. */
export type Log = Pick<FastifyBaseLogger, 'warn' | 'error'>;
