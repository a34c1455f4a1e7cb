import type { FastifyBaseLogger } from 'fastify';

/** The logger methods that code outside request handlers needs; `console` has them, too. */
export type Log = Pick<FastifyBaseLogger, 'warn' | 'error'>;
