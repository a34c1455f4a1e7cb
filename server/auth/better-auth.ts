import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError, createEmailVerificationToken } from 'better-auth/api';
import { getAdapter } from 'better-auth/db/adapter';
import type { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { authRoot } from '#contract/auth-paths.ts';
import { limits } from '#contract/limits.ts';
import { foldForSearch } from '#contract/text.ts';
import type { StoredMember } from '#contract/user.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import type { LimitedMailer } from '../mail/limited-mailer.ts';
import { resetPasswordMail } from '../mail/messages.ts';
import { hashOfIdentifier, withHashedTokens } from './hashed-tokens.ts';
import type { PasswordHashing } from './passwords/password-hashing.ts';
import { clientAddressHeader, cookiePrefix, sessionCookieName } from './sessions/cookies.ts';
import { sessionSeconds, type WithCookies } from './sessions/session.ts';

const day = 24 * 60 * 60;
const sessionRefreshSeconds = day;
const resetLinkSeconds = 10 * 60;
const verificationTokenSeconds = 60;

/** The server never calls Google after a sign-in, so it stores none of Google's tokens. */
const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
};

export type BetterAuth = Awaited<ReturnType<typeof createBetterAuth>>;

/**
 * Configures Better Auth with this project's tables and cookies. Only auth.ts and google.ts call Better Auth,
 * so its other endpoints and the session token in its responses stay internal. Better Auth is a third of all
 * server code, and most requests do not use it. So both files load this one only at the first call that needs
 * it.
 */
export async function createBetterAuth(
  context: AppContext,
  { passwords, mailer }: { passwords: PasswordHashing; mailer: LimitedMailer },
  providers: ReturnType<typeof genericOAuth>[] = [],
) {
  const { environment, database, databaseKind, authSecret } = context;
  const secondFactor = twoFactor({ twoFactorTable: 'twoFactors' });
  const secure = environment.publicUrl.startsWith('https:');

  const options = {
    // A tuple keeps the types that the second factor adds.
    plugins: [secondFactor, ...providers] as [typeof secondFactor, ...typeof providers],
    baseURL: environment.publicUrl,
    basePath: authRoot,
    secret: authSecret,
    logger: { disabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    user: {
      modelName: 'users',
      fields: { name: 'displayName', image: 'profilePic' },
      additionalFields: {
        member: { type: 'string', defaultValue: 'no' satisfies StoredMember, input: false },
        staff: { type: 'boolean', defaultValue: false, input: false },
        research: { type: 'boolean', defaultValue: false, input: false },
        category: { type: 'string', required: false, input: false },
        searchKey: { type: 'string', defaultValue: '', input: false, returned: false },
        ownName: { type: 'boolean', defaultValue: false, input: false, returned: false },
        ownPicture: { type: 'boolean', defaultValue: false, input: false, returned: false },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: sessionSeconds,
      updateAge: sessionRefreshSeconds,
      additionalFields: { strong: { type: 'boolean', defaultValue: false, input: false } },
    },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    databaseHooks: {
      user: {
        create: {
          before: async (user, call) => ({
            data: {
              ...user,
              searchKey: foldForSearch(`${user.name} ${user.email}`),
              ownName: call?.path === '/sign-up/email',
            },
          }),
        },
      },
      account: {
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: limits.passwordMinLength,
      maxPasswordLength: limits.passwordMaxLength,
      resetPasswordTokenExpiresIn: resetLinkSeconds,
      requireEmailVerification: environment.requireVerifiedEmail,
      password: { hash: passwords.hash, verify: passwords.verify },
      sendResetPassword: async ({ user, token }) => {
        await database
          .deleteFrom('verifications')
          .where('identifier', 'like', 'reset-password:%')
          .where('identifier', '!=', hashOfIdentifier(`reset-password:${token}`))
          .where('value', '=', user.id)
          .execute();
        const link = `${environment.publicUrl}/nova-senha#${token}`;
        const budget = user.emailVerified ? 'password-reset' : 'unverified';
        await mailer.send('password-reset', resetPasswordMail(user, link), budget);
      },
    },
    emailVerification: { autoSignInAfterVerification: true },
    advanced: {
      useSecureCookies: false, // `true` adds the prefix __Secure-; the names below have the stronger __Host-
      cookiePrefix: cookiePrefix(environment.publicUrl),
      cookies: { session_token: { name: sessionCookieName(environment.publicUrl) } },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
  } satisfies BetterAuthOptions;
  const plainAdapter = await getAdapter({
    ...options,
    database: { db: database, type: databaseKind, transaction: true },
  });
  const { api } = betterAuth({ ...options, database: () => withHashedTokens(plainAdapter) });
  return { api };
}

/** Creates the token that Better Auth requires to verify an email address. No mail contains it. */
export const verificationToken = (secret: string, { id, email }: { id: string; email: string }) =>
  createEmailVerificationToken(secret, email, undefined, verificationTokenSeconds, { userId: id });

/** Awaits a call to Better Auth, and returns its result and cookies. Its errors become AppErrors. */
export async function call<Result>(
  pending: Promise<{ headers: Headers; response: Result }>,
): Promise<WithCookies<Result>> {
  try {
    const { headers, response } = await pending;
    return { result: response, cookies: headers.getSetCookie() };
  } catch (error) {
    throw error instanceof APIError ? refusalOf(error) : error;
  }
}

function refusalOf(error: APIError): AppError {
  const code = typeof error.body?.code === 'string' ? error.body.code : '';
  switch (code) {
    case 'USER_ALREADY_EXISTS':
    case 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL':
      return new AppError('auth/email-taken', { cause: error });
    case 'INVALID_EMAIL_OR_PASSWORD':
    case 'INVALID_EMAIL':
    case 'INVALID_PASSWORD':
      return new AppError('auth/invalid-credentials', { cause: error });
    case 'EMAIL_NOT_VERIFIED':
      return new AppError('auth/email-not-verified', { cause: error });
    case 'INVALID_TOKEN':
    case 'TOKEN_EXPIRED':
    case 'USER_NOT_FOUND':
      return new AppError('auth/invalid-link', { cause: error });
    default:
  }
  if (error.statusCode === 401) return new AppError('auth/unauthenticated', { cause: error });
  return new AppError(error.statusCode < 500 ? 'request/malformed' : 'server/unavailable', { cause: error });
}
