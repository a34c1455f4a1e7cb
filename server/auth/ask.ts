import { AppError } from '../http/errors.ts';
import type { BetterAuth } from './better-auth.ts';
import type { WithCookies } from './sessions/session.ts';

/** Calls Better Auth, which is loaded at the first call. */
export type Ask = <Result>(
  operation: (api: BetterAuth['api']) => Promise<{ headers: Headers; response: Result }>,
) => Promise<WithCookies<Result>>;

/**
 * Rethrows `error`, with the code `auth/wrong-password` for a wrong password: in an open session, the client
 * must not sign in again because of it.
 */
export function asWrongPassword(error: unknown): never {
  throw error instanceof AppError && error.code === 'auth/invalid-credentials'
    ? new AppError('auth/wrong-password', { cause: error })
    : error;
}
