import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EmailVerification, SignUpInput } from '#contract/credentials.ts';
import { limits } from '#contract/limits.ts';
import { foldForSearch } from '#contract/text.ts';
import type { VerificationLinkState } from '#contract/user.ts';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/tables.ts';
import { AppError } from '../http/errors.ts';
import type { LimitedMailer } from '../mail/limited-mailer.ts';
import { verificationLink, verifyEmailMail } from '../mail/messages.ts';
import type { CallBetterAuth } from './call-better-auth.ts';
import { hashOfToken } from './hashed-tokens.ts';
import type { PasswordHashing } from './passwords/password-hashing.ts';
import { refuseGuessable } from './passwords/password-rules.ts';
import { cookieLine, cookiePrefix, readCookie } from './sessions/cookies.ts';
import type { Session, WithCookies } from './sessions/session.ts';
import { addImportedSignIns, isKeptAddress, takeOverAccount } from './sign-in-methods.ts';

/** The browser that asks for a link: hashes of its new mark, and of the mark of its earlier request. */
export type AskingBrowser = { mark: string; earlierMark: string | undefined };

/** What a sign-up stores until its email address is proved. `password` is a hash. */
type PendingSignUp = { displayName: string; password: string };
type Recipient = { email: string; name: string };

const linkMs = 24 * 60 * 60_000;

/**
 * Makes and uses the links that prove an email address. A link proves it for the browser that asked for the
 * link, or after the user has chosen a password in another browser. Otherwise, the owner of the address would
 * confirm an account whose password a stranger has chosen.
 */
export function createEmailVerification(
  context: AppContext,
  {
    callBetterAuth,
    passwords,
    mailer,
    findSession,
    verifyAndSignIn,
  }: {
    callBetterAuth: CallBetterAuth;
    passwords: PasswordHashing;
    mailer: LimitedMailer;
    findSession: (headers: Headers) => Promise<Session | undefined>;
    /**
     * Marks the address as verified. Begins a session, unless the user is signed in already or the account
     * has a second factor.
     */
    verifyAndSignIn: (
      user: { id: string; email: string },
      headers: Headers,
    ) => Promise<WithCookies<Session | undefined>>;
  },
) {
  const { database } = context;
  const { publicUrl } = context.environment;
  const cookieName = `${cookiePrefix(publicUrl)}-verification`;

  /** Mails a new link, which replaces the earlier link of the same browser. */
  async function mail(
    { email, name }: Recipient,
    { mark, earlierMark }: AskingBrowser,
    { signUp, isNew }: { signUp?: PendingSignUp; isNew: boolean },
  ): Promise<boolean> {
    const token = randomBytes(32).toString('base64url');
    await database
      .insertInto('verificationLinks')
      .values({
        token: hashOfToken(token),
        email,
        browser: mark,
        displayName: signUp?.displayName ?? null,
        password: signUp?.password ?? null,
        expiresAt: Date.now() + linkMs,
      })
      .execute();
    const links = database.deleteFrom('verificationLinks').where('email', '=', email);
    let sent = false;
    try {
      sent = await mailer.send(
        'verification',
        verifyEmailMail({ email, name }, verificationLink(publicUrl, token), isNew),
      );
    } finally {
      // Without the mail, nobody has the token, but a sign-up stays for `mailSignUpAgain`.
      if (sent) await links.where('browser', '=', earlierMark ?? '').execute();
      else if (!signUp) await links.where('token', '=', hashOfToken(token)).execute();
    }
    return sent;
  }

  /** @throws AppError `auth/invalid-link` */
  async function findLink(token: string, request: { cookie: string | undefined; headers: Headers }) {
    const link = await database
      .selectFrom('verificationLinks')
      .select(['token', 'email', 'browser', 'displayName', 'password'])
      .where('token', '=', hashOfToken(token))
      .where('expiresAt', '>', Date.now())
      .executeTakeFirst();
    const user = link && (await findUser(database, link.email));
    if (!link || user?.emailVerified || !(user || link.password)) throw new AppError('auth/invalid-link');
    const session = await findSession(request.headers);
    const mark = readCookie(request.cookie, cookieName);
    return {
      link,
      user,
      session,
      fromSameBrowser: mark !== undefined && hashOfToken(mark) === link.browser,
      isSignedIn: session !== undefined && session.uid === user?.id,
    };
  }

  /** Creates the account of a sign-up, without a verified address. */
  async function createUser(email: string, { displayName, password }: PendingSignUp): Promise<string> {
    if (await isKeptAddress(database, email)) throw new AppError('auth/invalid-link');
    const body = { name: displayName, email, password: '0'.repeat(limits.passwordMinLength) };
    await passwords.handle({ readyHash: password }, () =>
      callBetterAuth((api) => api.signUpEmail({ body, headers: new Headers(), returnHeaders: true })),
    );
    const user = await findUser(database, email);
    // Another link has created and verified the account in the meantime.
    if (!user || user.emailVerified) throw new AppError('auth/invalid-link');
    return user.id;
  }

  /** Replaces every way to sign in to an account whose address was never proved. */
  async function replaceSignIn(
    owner: { uid: string; email: string },
    { displayName, password }: { displayName: string | null; password: string },
  ): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await takeOverAccount(transaction, owner);
      await addImportedSignIns(transaction, [
        { uid: owner.uid, createdAt: Date.now(), password, googleId: null },
      ]);
      if (displayName === null) return;
      const searchKey = foldForSearch(`${displayName} ${owner.email}`);
      await transaction
        .updateTable('users')
        .set({ displayName, searchKey, ownName: true })
        .where('id', '=', owner.uid)
        .execute();
    });
  }

  /**
   * Marks the address as verified, and begins a session. Without a user, creates the account first. If there
   * is a password, it replaces what could sign in before.
   */
  async function proveAddress(
    { email, user }: { email: string; user: { id: string } | undefined },
    { displayName, password }: { displayName: string | null; password: string | null },
    headers: Headers,
  ): Promise<WithCookies<Session | undefined>> {
    if (user && password !== null) await replaceSignIn({ uid: user.id, email }, { displayName, password });
    const id =
      user?.id ?? (await createUser(email, { displayName: displayName ?? '', password: password ?? '' }));
    const signedIn = await verifyAndSignIn({ id, email }, headers);
    await database.deleteFrom('verificationLinks').where('email', '=', email).execute();
    return signedIn;
  }

  const hashOf = (password: string) =>
    passwords.handle({ priority: 'known' }, () => passwords.hash(password));

  return {
    /** Gives the browser of this request a new mark, which belongs to one request of a link. */
    markBrowser(request: FastifyRequest, reply: FastifyReply): AskingBrowser {
      const mark = randomBytes(16).toString('base64url');
      const earlier = readCookie(request.headers.cookie, cookieName);
      reply.header(
        'set-cookie',
        cookieLine(publicUrl, { name: cookieName, value: mark, maxAgeSeconds: linkMs / 1_000 }),
      );
      return { mark: hashOfToken(mark), earlierMark: earlier && hashOfToken(earlier) };
    },

    /** Mails the link of a sign-up, which is stored with the link until someone uses it. */
    mailSignUp: (
      { email, ...signUp }: PendingSignUp & { email: string },
      browser: AskingBrowser,
    ): Promise<boolean> => mail({ email, name: signUp.displayName }, browser, { signUp, isNew: true }),

    /**
     * Mails a pending sign-up of this address again, if there is one: that of this browser, or the newest.
     * @param cookie the `Cookie` header
     */
    async mailSignUpAgain(email: string, cookie: string | undefined): Promise<void> {
      if ((await findUser(database, email))?.emailVerified) return;
      const links = await database
        .selectFrom('verificationLinks')
        .select(['browser', 'displayName', 'password'])
        .where('email', '=', email)
        .where('password', 'is not', null)
        .where('expiresAt', '>', Date.now())
        .orderBy('expiresAt', 'desc')
        .execute();
      const mark = hashOfToken(readCookie(cookie, cookieName) ?? '');
      const link = links.find(({ browser }) => browser === mark) ?? links[0];
      if (link?.displayName == null || link.password === null) return;
      const { browser, displayName, password } = link;
      await mail(
        { email, name: displayName },
        { mark: browser, earlierMark: undefined },
        { signUp: { displayName, password }, isNew: true },
      );
    },

    /**
     * Mails a link if the email address belongs to an account and is not verified yet.
     * @param isNew true if the user has just created the account
     * @returns false when the email address has reached the rate limit of these mails
     */
    async mailUser(email: string, browser: AskingBrowser, isNew = false): Promise<boolean> {
      const user = await findUser(database, email.toLowerCase());
      return !user || user.emailVerified ? true : mail(user, browser, { isNew });
    },

    /**
     * Tells what a link needs in this browser, without using it.
     * @throws AppError `auth/invalid-link`
     */
    async describeLink(
      token: string,
      request: { cookie: string | undefined; headers: Headers },
    ): Promise<VerificationLinkState> {
      const { link, session, fromSameBrowser, isSignedIn } = await findLink(token, request);
      return {
        email: link.email,
        choosePassword: !fromSameBrowser && !isSignedIn,
        signedInAs: session && !isSignedIn ? session.email : null,
      };
    },

    /**
     * Proves the email address of a link.
     * @returns the session that begins, if any. In an account with a second factor none begins, because
     * access to the mailbox must not be enough to sign in
     * @throws AppError `auth/invalid-link`; `auth/other-account` while another user is signed in;
     * `auth/choose-password` in another browser, without a password; `request/invalid` if it is guessable
     */
    async verify(
      { token, password }: EmailVerification,
      request: { cookie: string | undefined; headers: Headers },
    ): Promise<WithCookies<Session | undefined>> {
      const { link, user, session, fromSameBrowser, isSignedIn } = await findLink(token, request);
      const { email, displayName } = link;
      if (session && !isSignedIn) throw new AppError('auth/other-account');
      const choosesPassword = !fromSameBrowser && !isSignedIn;
      if (choosesPassword && password === undefined) throw new AppError('auth/choose-password');
      let hash = fromSameBrowser ? link.password : null;
      if (choosesPassword && password !== undefined) {
        await refuseGuessable(password, { name: user?.name ?? displayName ?? '', email });
        hash = await hashOf(password);
      }
      const { numDeletedRows } = await database
        .deleteFrom('verificationLinks')
        .where('token', '=', link.token)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new AppError('auth/invalid-link');
      const chosenName = user && !fromSameBrowser ? null : displayName;
      return proveAddress({ email, user }, { displayName: chosenName, password: hash }, request.headers);
    },

    /**
     * Creates the account of a person who has proved the email address by the link of an invitation, and
     * signs in. An account whose address was never proved is taken over.
     * @throws AppError `auth/invalid-link` when the address already has a verified account; `request/invalid`
     */
    async signUpInvited(
      { email, displayName, password }: SignUpInput,
      headers: Headers,
    ): Promise<WithCookies<Session>> {
      await refuseGuessable(password, { name: displayName, email });
      const hash = await hashOf(password);
      const user = await findUser(database, email);
      if (user?.emailVerified) throw new AppError('auth/invalid-link');
      const { result, cookies } = await proveAddress(
        { email, user },
        { displayName, password: hash },
        headers,
      );
      if (!result) throw new Error('The account of an invited person has no session.');
      return { result, cookies };
    },
  };
}

async function findUser(database: Database, email: string) {
  return database
    .selectFrom('users')
    .select(['id', 'displayName as name', 'email', 'emailVerified'])
    .where('email', '=', email)
    .executeTakeFirst();
}
