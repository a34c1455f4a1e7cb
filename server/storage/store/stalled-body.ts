import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '#server/http/errors.ts';

/** How often a body is checked, and how long the store can be silent while the reader waits. */
export type Stall = { lookMs: number; limitMs: number };

export const defaultStall: Stall = { lookMs: 1_000, limitMs: 10_000 };

/**
 * Destroys the body when the store sends nothing for `limitMs` while the reader waits. Slow readers have no
 * time limit.
 * @throws Error when the response has no body
 */
export function endWhenStalled(body: unknown, { lookMs, limitMs }: Stall): Readable {
  if (!(body instanceof IncomingMessage)) throw new Error('The response of S3 has no body.');
  let paused = false;
  let received = body.socket.bytesRead;
  let movedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const { bytesRead } = body.socket;
    if (paused || body.complete || body.readableLength > 0 || bytesRead !== received) movedAt = now;
    received = bytesRead;
    if (now - movedAt > limitMs)
      body.destroy(new AppError('server/unavailable', { cause: new Error('S3 sends no more data.') }));
  }, lookMs).unref();
  return body
    .on('pause', () => {
      paused = true;
    })
    .on('resume', () => {
      paused = false;
    })
    .once('close', () => clearInterval(timer));
}
