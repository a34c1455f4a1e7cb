import type { FastifyBaseLogger } from 'fastify';

/** The logger methods that code outside request handlers needs; `console` has them, too. */
export type Log = Pick<FastifyBaseLogger, 'warn' | 'error'>;

/**
 * Returns an error in a form for the log. Removes email addresses, because mail servers and databases repeat
 * them in their error messages.
 */
export function reasonOf(error: unknown): { code?: string; stack: string } {
  if (!(error instanceof Error)) return { stack: typeof error };
  const { code, stack = error.message } = error as NodeJS.ErrnoException;
  return {
    stack: stack.slice(0, 2_000).replace(/(?<![^\s<>"'()=:,;@])[^\s<>"'()=:,;@]+@[^\s<>"'(),;@]+/g, '…@…'),
    ...(typeof code === 'string' && { code }),
  };
}
