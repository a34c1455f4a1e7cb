import { AppError } from '../http/errors.ts';
import type { BetterAuth } from './better-auth.ts';
import type { WithCookies } from './sessions/session.ts';

/** Calls Better Auth, which is loaded at the first call. */
export type CallBetterAuth = <Result>(
  operation: (api: BetterAuth['api']) => Promise<{ headers: Headers; response: Result }>,
) => Promise<WithCookies<Result>>;

/**
 * Rethrows `error`. For a wrong password, it changes the code to `auth/wrong-password`, because a wrong
 * password in an open session must not make the client sign in again.
 */
export function asWrongPassword(error: unknown): never {
  throw error instanceof AppError && error.code === 'auth/invalid-credentials'
    ? new AppError('auth/wrong-password', { cause: error })
    : error;
}
