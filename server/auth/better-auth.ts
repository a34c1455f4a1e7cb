import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type { OpenSession, PasswordChange } from '#contract/account.ts';
import type { PasswordReset, SignInInput, SignUpInput } from '#contract/credentials.ts';
import { limits } from '#contract/limits.ts';
import type { AppContext } from '../context.ts';
import type { StoredMember } from '../database/tables.ts';
import { isLocalhost } from '../environment.ts';
import { AppError } from '../errors.ts';
import { resetPasswordMail, verifyEmailMail } from '../mail/messages.ts';
import { foldForSearch } from '../search-key.ts';
import { createHashQueue } from './hash-queue.ts';
import { refuseGuessable } from './password-rules.ts';

/** A session as the server knows it: who, in what role, from when to when (epoch milliseconds). */
export type Session = {
  id: string;
  uid: string;
  email: string;
  emailVerified: boolean;
  member: StoredMember;
  startedAt: number;
  expiresAt: number;
};

/** What an operation answers, and the `Set-Cookie` lines that go with it. */
export type WithCookies<Result> = { result: Result; cookies: string[] };

export type Auth = ReturnType<typeof createAuth>;

const day = 24 * 60 * 60;
const sessionSeconds = 7 * day;
const sessionRefreshSeconds = day;
const resetLinkSeconds = 10 * 60;
const verificationLinkSeconds = day;

/** The header in which our own routes tell Better Auth the client's address; clients cannot set it. */
const clientAddressHeader = 'x-client-address';

/**
 * Sign-in by Better Auth, behind the few operations that this server uses. Routes never see
 * Better Auth itself: its other end points, and the session token in its answers, stay inside.
 */
export function createAuth({ environment, database, databaseKind, mailer, authSecret }: AppContext) {
  const onLocalhost = isLocalhost(environment.publicUrl);
  const secure = environment.publicUrl.startsWith('https:');
  const inQueue = createHashQueue({ running: 2, waiting: 64 });
  /** The hash of the request under way: made before its transaction, which must not wait 85 ms for scrypt. */
  const readyHash = new AsyncLocalStorage<string>();

  const auth = betterAuth({
    baseURL: environment.publicUrl,
    basePath: '/api/auth',
    secret: authSecret,
    database: { db: database, type: databaseKind, transaction: true },
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
      },
    },
    session: { modelName: 'sessions', expiresIn: sessionSeconds, updateAge: sessionRefreshSeconds },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => ({
            data: { ...user, searchKey: foldForSearch(`${user.name} ${user.email}`) },
          }),
        },
      },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: limits.passwordMinLength,
      maxPasswordLength: limits.passwordMaxLength,
      resetPasswordTokenExpiresIn: resetLinkSeconds,
      revokeSessionsOnPasswordReset: true,
      password: {
        hash: async (password) => readyHash.getStore() ?? inQueue(() => hashPassword(password)),
        verify: ({ hash, password }) => inQueue(() => verifyPassword({ hash, password })),
      },
      sendResetPassword: async ({ user, token }) => {
        await database
          .deleteFrom('verifications')
          .where('identifier', 'like', 'reset-password:%')
          .where('identifier', '!=', `reset-password:${token}`)
          .where('value', '=', user.id)
          .execute();
        await mailer.send(resetPasswordMail(user, `${environment.publicUrl}/nova-senha?token=${token}`));
      },
    },
    emailVerification: {
      sendOnSignUp: !onLocalhost,
      expiresIn: verificationLinkSeconds,
      sendVerificationEmail: async ({ user, url }) => mailer.send(verifyEmailMail(user, url)),
    },
    advanced: {
      useSecureCookies: false, // would add __Secure-; the name below carries the stronger __Host-
      cookies: { session_token: { name: secure ? '__Host-acolhe-session' : 'acolhe-session' } },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
  });

  async function findSession(headers: Headers, refresh: boolean): Promise<WithCookies<Session | undefined>> {
    if (!headers.has('cookie')) return { result: undefined, cookies: [] };
    const { result, cookies } = await call(
      auth.api.getSession({ headers, returnHeaders: true, query: refresh ? {} : { disableRefresh: true } }),
    );
    if (!result) return { result: undefined, cookies };
    const { session, user } = result;
    return {
      result: {
        id: session.id,
        uid: user.id,
        email: user.email,
        emailVerified: user.emailVerified,
        member: user.member as StoredMember,
        startedAt: session.createdAt.getTime(),
        expiresAt: session.expiresAt.getTime(),
      },
      cookies,
    };
  }

  /** The session that the given `Set-Cookie` lines have just begun. */
  async function begunSession(cookies: string[]): Promise<WithCookies<Session>> {
    const cookie = cookies.map((line) => line.split(';', 1)[0]).join('; ');
    const { result } = await findSession(new Headers({ cookie }), false);
    if (!result) throw new Error('The session that was just begun cannot be found.');
    return { result, cookies };
  }

  return {
    /** @throws AppError `auth/email-taken` */
    async signUp(
      { displayName, email, password }: SignUpInput,
      headers: Headers,
    ): Promise<WithCookies<Session>> {
      await refuseGuessable(password, { name: displayName, email });
      const body = { name: displayName, email, password };
      const hash = await inQueue(() => hashPassword(password));
      const { cookies } = await readyHash.run(hash, () =>
        call(auth.api.signUpEmail({ body, headers, returnHeaders: true })),
      );
      return begunSession(cookies);
    },

    /** @throws AppError `auth/invalid-credentials`, the same for an unknown address and a wrong password */
    async signIn(input: SignInInput, headers: Headers): Promise<WithCookies<Session>> {
      const { cookies } = await call(auth.api.signInEmail({ body: input, headers, returnHeaders: true }));
      return begunSession(cookies);
    },

    async signOut(headers: Headers): Promise<WithCookies<unknown>> {
      return call(auth.api.signOut({ headers, returnHeaders: true }));
    },

    /** @param refresh whether a session in use is prolonged; the cookies say so to the browser */
    findSession,

    /** Mails a link if the address has an account; earlier links of the account end. */
    async requestPasswordReset(email: string, headers: Headers): Promise<void> {
      await call(auth.api.requestPasswordReset({ body: { email }, headers, returnHeaders: true }));
    },

    /** Sets the password and ends every session of the account. @throws AppError `auth/invalid-link` */
    async resetPassword({ token, password }: PasswordReset, headers: Headers): Promise<void> {
      const owner = await database
        .selectFrom('verifications')
        .innerJoin('users', 'users.id', 'verifications.value')
        .select(['users.displayName as name', 'users.email'])
        .where('identifier', '=', `reset-password:${token}`)
        .executeTakeFirst();
      if (!owner) throw new AppError('auth/invalid-link');
      await refuseGuessable(password, owner);
      const body = { token, newPassword: password };
      await call(auth.api.resetPassword({ body, headers, returnHeaders: true }));
    },

    /** The browsers that are signed in to the caller's account. @param currentId the session that asks */
    async listSessions(headers: Headers, currentId: string): Promise<OpenSession[]> {
      const { result } = await call(auth.api.listSessions({ headers, returnHeaders: true }));
      return result.map(({ id, createdAt, updatedAt, userAgent }) => ({
        id,
        current: id === currentId,
        startedAt: createdAt.getTime(),
        lastUsedAt: updatedAt.getTime(),
        userAgent: userAgent ?? '',
      }));
    },

    async endOtherSessions(headers: Headers): Promise<void> {
      await call(auth.api.revokeOtherSessions({ headers, returnHeaders: true }));
    },

    /** Sets a new password, ends every other session and renews this one. @throws AppError `auth/wrong-password` */
    async changePassword({ current, next }: PasswordChange, headers: Headers): Promise<WithCookies<unknown>> {
      const { result: session } = await findSession(headers, false);
      if (!session) throw new AppError('auth/unauthenticated');
      const { displayName } = await database
        .selectFrom('users')
        .select('displayName')
        .where('id', '=', session.uid)
        .executeTakeFirstOrThrow();
      await refuseGuessable(next, { name: displayName, email: session.email }, 'next');
      const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
      return call(auth.api.changePassword({ body, headers, returnHeaders: true })).catch(asWrongPassword);
    },

    /** @throws AppError `auth/wrong-password` */
    async checkPassword(password: string, headers: Headers): Promise<void> {
      await call(auth.api.verifyPassword({ body: { password }, headers, returnHeaders: true })).catch(
        asWrongPassword,
      );
    },

    /** Marks the address as its owner's. @throws AppError `auth/invalid-link` */
    async verifyEmail(token: string, headers: Headers): Promise<void> {
      await call(auth.api.verifyEmail({ query: { token }, headers, returnHeaders: true }));
    },
  };
}

/**
 * The headers of a request that Better Auth may see: the cookie, the browser's name, and the address
 * as this server determined it, so that nobody's `X-Forwarded-For` is believed.
 */
export function authHeaders(request: { headers: Record<string, unknown>; ip: string }): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  for (const name of ['cookie', 'user-agent']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

/** Awaits a call of Better Auth; its errors become ours, its cookies come along. */
async function call<Result>(
  pending: Promise<{ headers: Headers; response: Result }>,
): Promise<WithCookies<Result>> {
  try {
    const { headers, response } = await pending;
    return { result: response, cookies: headers.getSetCookie() };
  } catch (error) {
    throw error instanceof APIError ? refusalOf(error) : error;
  }
}

/** In an open session a wrong password is no reason to sign in again. */
function asWrongPassword(error: unknown): never {
  throw error instanceof AppError && error.code === 'auth/invalid-credentials'
    ? new AppError('auth/wrong-password', { cause: error })
    : error;
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
    case 'INVALID_TOKEN':
    case 'TOKEN_EXPIRED':
    case 'USER_NOT_FOUND':
      return new AppError('auth/invalid-link', { cause: error });
    default:
  }
  if (error.statusCode === 401) return new AppError('auth/unauthenticated', { cause: error });
  return new AppError(error.statusCode < 500 ? 'request/malformed' : 'server/unavailable', { cause: error });
}
