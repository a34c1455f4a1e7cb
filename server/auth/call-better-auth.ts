import { AppError } from '../http/errors.ts';
import type { BetterAuth } from './better-auth.ts';
import type { WithCookies } from './sessions/session.ts';

/** Calls Better Auth, which is loaded at the first call. */
export type CallBetterAuth = <Result>(
  operation: (api: BetterAuth['api']) => Promise<{ headers: Headers; response: Result }>,
) => Promise<WithCookies<Result>>;

/**
 * Checks the password of an open session. A wrong one has a code of its own, because it must not make the
 * client sign in again.
 * @throws AppError `auth/wrong-password`
 */
export async function checkPassword(
  callBetterAuth: CallBetterAuth,
  password: string,
  headers: Headers,
): Promise<void> {
  await callBetterAuth((api) =>
    api.verifyPassword({ body: { password }, headers, returnHeaders: true }),
  ).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'auth/invalid-credentials'
      ? new AppError('auth/wrong-password', { cause: error })
      : error;
  });
}
