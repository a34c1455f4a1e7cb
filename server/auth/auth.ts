import { randomBytes } from 'node:crypto';
import type { OpenSession, PasswordChange } from '#contract/account.ts';
import type { PasswordReset, SignInInput, SignUpInput } from '#contract/credentials.ts';
import { limits } from '#contract/limits.ts';
import { lazily } from '../concurrency.ts';
import type { AppContext } from '../context.ts';
import { epochMs } from '../database/epoch-ms.ts';
import type { StoredMember } from '../database/tables.ts';
import { AppError } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { createLimitedMailer } from '../mail/limited-mailer.ts';
import { existingAccountMail } from '../mail/messages.ts';
import { type Ask, asWrongPassword } from './ask.ts';
import { type AskingBrowser, createEmailVerification } from './email-verification.ts';
import { createGoogleSignIn } from './google/google.ts';
import { hashOfIdentifier, hashOfToken } from './hashed-tokens.ts';
import { createImportedHashes } from './passwords/imported-hashes.ts';
import { createPasswordHashing } from './passwords/password-hashing.ts';
import { refuseGuessable } from './passwords/password-rules.ts';
import { createSecondFactor } from './second-factor/second-factor.ts';
import { cookieLine, readSignedCookie, sessionCookieName, signedValue } from './sessions/cookies.ts';
import {
  findSessionRow,
  headersWith,
  openSessionOf,
  type Session,
  type WithCookies,
} from './sessions/session.ts';
import {
  addImportedSignIns,
  endAccess,
  removePassword,
  requireStillOpen,
  takeOverAccount,
} from './sign-in-methods.ts';

export type Auth = ReturnType<typeof createAuth>;

/** Creates the sign-in operations that this server offers. */
export function createAuth(context: AppContext, log: Log = console) {
  const { database, environment } = context;
  const passwords = createPasswordHashing(log, context.scrypt, createImportedHashes(database));
  const mailer = createLimitedMailer(context, log);
  const sessionCookie = sessionCookieName(environment.publicUrl);
  const loadBetterAuth = lazily(async () => {
    const { call, createBetterAuth, verificationToken } = await import('./better-auth.ts');
    return { call, verificationToken, ...(await createBetterAuth(context, { passwords, mailer })) };
  });

  const ask: Ask = async (operation) => {
    const { api, call } = await loadBetterAuth();
    return call(operation(api));
  };
  // The second factor asks for a password only in an open session, so this password waits in the queue of
  // known users (`Lane` in passwords/password-hashing.ts).
  const secondFactor = createSecondFactor(context, (operation) =>
    passwords.inLane('known', () => ask(operation)),
  );

  /**
   * Finds the session of a cookie with one signature check and one query, because every call of a signed-in
   * user needs it. Better Auth handles only the cookies of this server whose session is not open any more.
   */
  async function findSession(headers: Headers, refresh: boolean): Promise<WithCookies<Session | undefined>> {
    const token = readSignedCookie(headers.get('cookie') ?? '', sessionCookie, context.authSecret);
    if (token === undefined) return { result: undefined, cookies: [] };
    const open = refresh ? undefined : await findSessionRow(database, { token });
    if (open) return { result: open, cookies: [] };
    const { result, cookies } = await ask((api) =>
      api.getSession({ headers, returnHeaders: true, query: refresh ? {} : { disableRefresh: true } }),
    );
    if (!result) return { result: undefined, cookies };
    const { session, user } = result;
    const found = openSessionOf({
      ...user,
      ...session,
      uid: user.id,
      member: user.member as StoredMember,
    });
    if (found) return { result: found, cookies };
    const { cookies: ended } = await ask((api) => api.signOut({ headers, returnHeaders: true }));
    return { result: undefined, cookies: ended };
  }

  /** Finds the session that a sign-in has just begun, by its `Set-Cookie` headers. There may be none. */
  async function findBegunSession(cookies: string[]): Promise<Session | undefined> {
    return (await findSession(headersWith(cookies), false)).result;
  }

  async function begunSession(cookies: string[]): Promise<WithCookies<Session>> {
    const result = await findBegunSession(cookies);
    if (!result) throw new Error('The session that was just begun cannot be found.');
    return { result, cookies };
  }

  /**
   * Finds the row of the account's password. A proof of the email address and a reset replace this row. So if
   * it changes while a password is checked, the password is no longer valid.
   */
  async function findCredentialId(user: { uid: string } | { email: string }): Promise<string | undefined> {
    const query = database
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.userId')
      .select('accounts.id')
      .where('providerId', '=', 'credential');
    const row = await ('uid' in user
      ? query.where('users.id', '=', user.uid)
      : query.where('users.email', '=', user.email.toLowerCase())
    ).executeTakeFirst();
    return row?.id;
  }

  /** @throws AppError `auth/wrong-password` */
  async function checkPassword(password: string, headers: Headers): Promise<void> {
    await ask((api) => api.verifyPassword({ body: { password }, headers, returnHeaders: true })).catch(
      asWrongPassword,
    );
  }

  const emailVerification = createEmailVerification(context, {
    ask,
    passwords,
    mailer,
    findSession: async (headers) => (await findSession(headers, false)).result,
    verifyAndSignIn: async (user, headers) => {
      const { result: before } = await findSession(headers, false);
      const { verificationToken } = await loadBetterAuth();
      const query = { token: await verificationToken(context.authSecret, user) };
      const { cookies } = await ask((api) => api.verifyEmail({ query, headers, returnHeaders: true }));
      const session = await findBegunSession(cookies);
      if (!session?.secondFactor || session.id === before?.id) return { result: session, cookies };
      await database.deleteFrom('sessions').where('id', '=', session.id).execute();
      return { result: undefined, cookies: [] };
    },
  });

  return {
    /**
     * Waits about four seconds if the queue of passwords is full. @param known true for a known browser
     * @throws AppError `server/unavailable` if the queue is still full
     */
    waitForCapacity: (known: boolean) => passwords.waitForRoom(laneOf(known)),

    /** @throws AppError `auth/email-taken`; `auth/email-not-verified` if email addresses must be verified */
    async signUp(
      { displayName, email, password }: SignUpInput,
      headers: Headers,
    ): Promise<WithCookies<Session>> {
      await refuseGuessable(password, { name: displayName, email });
      const body = { name: displayName, email, password };
      const { result, cookies } = await passwords.withReadyHash(password, () =>
        ask((api) => api.signUpEmail({ body, headers, returnHeaders: true })),
      );
      if (result.token === null) throw new AppError('auth/email-not-verified');
      return begunSession(cookies);
    },

    /**
     * Begins a sign-up on a site where email addresses must be verified first. This function takes the same
     * time for new and taken email addresses.
     * @returns a function to call after the response. It mails a verification link; the account begins to
     * exist when its owner uses the link. For the email address of a verified account, it mails the owner
     */
    async prepareSignUp(
      { displayName, email, password }: SignUpInput,
      browser: AskingBrowser,
    ): Promise<() => Promise<void>> {
      await refuseGuessable(password, { name: displayName, email });
      const hash = await passwords.hash(password);
      return async () => {
        const owner = await database
          .selectFrom('users')
          .select(['displayName as name', 'email'])
          .where('email', '=', email.toLowerCase())
          .where('emailVerified', '=', true)
          .executeTakeFirst();
        const signUp = { email: email.toLowerCase(), displayName, password: hash };
        if (owner)
          await mailer.send('existing-account', existingAccountMail(owner, `${environment.publicUrl}/login`));
        else await emailVerification.mailSignUp(signUp, browser);
      };
    },

    emailVerification,

    /**
     * @returns no session when the account needs a second factor; the cookies then hold the pending sign-in
     * @param known true for a browser that has signed in to the account before; its password does not wait
     * for those of unknown browsers
     * @throws AppError `auth/invalid-credentials`, the same for an unknown email address and a wrong password
     */
    async signIn(
      input: SignInInput,
      headers: Headers,
      known: boolean,
    ): Promise<WithCookies<Session | undefined>> {
      const credentialId = await findCredentialId(input);
      const { result, cookies } = await passwords.inLane(laneOf(known), () =>
        passwords.whileSigningIn(() =>
          ask((api) => api.signInEmail({ body: input, headers, returnHeaders: true })),
        ),
      );
      if ('twoFactorRedirect' in result) return { result: undefined, cookies };
      const begun = await begunSession(cookies);
      if (credentialId === (await findCredentialId(begun.result))) return begun;
      await database.deleteFrom('sessions').where('id', '=', begun.result.id).execute();
      throw new AppError('auth/invalid-credentials');
    },

    /** Completes a sign-in that needs a second factor. @throws AppError `auth/wrong-code` */
    async finishSignIn(code: string, headers: Headers): Promise<WithCookies<Session>> {
      const { cookies } = await secondFactor.finishSignIn(code, headers);
      return begunSession(cookies);
    },

    secondFactor,

    signOut: async (headers: Headers): Promise<WithCookies<unknown>> =>
      headers.has('cookie')
        ? ask((api) => api.signOut({ headers, returnHeaders: true }))
        : { result: undefined, cookies: [] },

    /** @param refresh true to extend the session, at most once a day; `cookies` then hold the new expiry */
    findSession,

    /**
     * Mails a link if the email address has an account, and invalidates the account's earlier links. For a
     * sign-up that waits for its proof, it mails the link of the sign-up again.
     */
    async requestPasswordReset(
      email: string,
      { cookie, headers }: { cookie: string | undefined; headers: Headers },
    ): Promise<void> {
      await ask((api) => api.requestPasswordReset({ body: { email }, headers, returnHeaders: true }));
      await emailVerification.mailSignUpAgain(email, cookie);
    },

    /**
     * Sets the password, ends every session of the account, and marks its email address as verified, because
     * the link was mailed to it. If this is the first proof of the address, everything else that could sign
     * in to the account is removed.
     * @throws AppError `auth/invalid-link`, `server/unavailable`; `request/invalid` for a password that is
     * easy to guess
     */
    async resetPassword({ token, password }: PasswordReset): Promise<void> {
      const identifier = hashOfIdentifier(`reset-password:${token}`);
      const owner = await database
        .selectFrom('verifications')
        .innerJoin('users', 'users.id', 'verifications.value')
        .select(['users.id as uid', 'users.displayName as name', 'users.email', 'users.emailVerified'])
        .select('verifications.expiresAt')
        .where('identifier', '=', identifier)
        .executeTakeFirst();
      if (!owner || epochMs(owner.expiresAt) <= Date.now()) throw new AppError('auth/invalid-link');
      const { uid } = owner;
      await refuseGuessable(password, owner);
      const hash = await passwords.inLane('known', () => passwords.hash(password));
      await database.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('verifications')
          .where('identifier', '=', identifier)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw new AppError('auth/invalid-link');
        if (owner.emailVerified) await endAccess(transaction, owner);
        else await takeOverAccount(transaction, owner);
        await removePassword(transaction, uid);
        await addImportedSignIns(transaction, [
          { uid, createdAt: Date.now(), password: hash, googleId: null },
        ]);
        await transaction.updateTable('users').set({ emailVerified: true }).where('id', '=', uid).execute();
      });
    },

    /**
     * Lists the browsers that are signed in to the caller's account.
     * @param currentId the session of this request
     */
    async listSessions(headers: Headers, currentId: string): Promise<OpenSession[]> {
      const { result } = await ask((api) => api.listSessions({ headers, returnHeaders: true }));
      return result.map(({ id, createdAt, updatedAt, userAgent }) => ({
        id,
        current: id === currentId,
        startedAt: createdAt.getTime(),
        lastUsedAt: updatedAt.getTime(),
        userAgent: userAgent ?? '',
      }));
    },

    /** Ends the session with this id, if it belongs to this user. */
    async endSession({ id, uid }: { id: string; uid: string }): Promise<void> {
      await database.deleteFrom('sessions').where('id', '=', id).where('userId', '=', uid).execute();
    },

    /** Better Auth's function compares tokens, so it cannot be used: the database has only their hashes. */
    async endOtherSessions({ uid, id }: Session): Promise<void> {
      await database.deleteFrom('sessions').where('userId', '=', uid).where('id', '!=', id).execute();
    },

    /**
     * Sets a new password, ends the other sessions of the account, and gives this one a new token.
     * @throws AppError `auth/wrong-password`, `auth/unauthenticated`; `request/invalid`, if guessable
     */
    async changePassword({ current, next }: PasswordChange, headers: Headers): Promise<WithCookies<unknown>> {
      const { result: session } = await findSession(headers, false);
      if (!session) throw new AppError('auth/unauthenticated');
      const { displayName } = await database
        .selectFrom('users')
        .select('displayName')
        .where('id', '=', session.uid)
        .executeTakeFirstOrThrow();
      await refuseGuessable(next, { name: displayName, email: session.email }, 'next');
      const credentialId = await findCredentialId(session);
      const hash = await passwords.inLane('known', async () => {
        await checkPassword(current, headers);
        return passwords.hash(next);
      });
      const token = randomBytes(24).toString('base64url');
      await database.transaction().execute(async (transaction) => {
        await requireStillOpen(transaction, context.databaseKind, session);
        const { numUpdatedRows } = await transaction
          .updateTable('accounts')
          .set({ password: hash })
          .where('id', '=', credentialId ?? '')
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw new AppError('auth/unauthenticated');
        const others = transaction.deleteFrom('sessions').where('userId', '=', session.uid);
        await others.where('id', '!=', session.id).execute();
        await transaction
          .updateTable('sessions')
          .set({ token: hashOfToken(token) })
          .where('id', '=', session.id)
          .execute();
        await transaction.deleteFrom('knownBrowsers').where('uid', '=', session.uid).execute();
      });
      const value = signedValue(token, context.authSecret);
      const maxAgeSeconds = Math.floor((session.expiresAt - Date.now()) / 1_000);
      const cookies = [cookieLine(environment.publicUrl, { name: sessionCookie, value, maxAgeSeconds })];
      return { result: undefined, cookies };
    },

    /**
     * Checks that the caller is the user of the session, by the password, or by a recent sign-in with Google
     * if the account has no password.
     * @throws AppError `auth/wrong-password`, `auth/sign-in-again`; `request/invalid` without `password`
     */
    async confirmUser(
      { uid, startedAt }: Session,
      password: string | undefined,
      headers: Headers,
    ): Promise<void> {
      const credential = await database
        .selectFrom('accounts')
        .select('id')
        .where('userId', '=', uid)
        .where('providerId', '=', 'credential')
        .executeTakeFirst();
      if (!credential) {
        if (startedAt < Date.now() - limits.freshSignInMs) throw new AppError('auth/sign-in-again');
        return;
      }
      if (password === undefined)
        throw new AppError('request/invalid', {
          issues: [{ path: 'password', message: 'Preencha a sua senha.' }],
        });
      await passwords.inLane('known', () => checkPassword(password, headers));
    },

    /** Sign-in with Google; `undefined` when no client id is configured. */
    google: createGoogleSignIn(context, { passwords, mailer }),

    /** `endWaits` ends the waits of `waitForCapacity`; `close` ends the thread that hashes passwords. */
    endWaits: passwords.endWaits,
    close: passwords.close,
  };
}

const laneOf = (known: boolean) => (known ? 'known' : 'unknown');
