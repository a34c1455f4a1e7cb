import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SignInInput, SignUpInput } from '#contract/credentials.ts';
import { lazily } from '../concurrency.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { createLimitedMailer } from '../mail/limited-mailer.ts';
import { type AccountChange, accountChangeMail, existingAccountMail } from '../mail/messages.ts';
import type { CallBetterAuth } from './call-better-auth.ts';
import { createEmailChanges } from './email-change/email-change.ts';
import { type AskingBrowser, createEmailVerification } from './email-verification.ts';
import { createGoogleSignIn } from './google/google.ts';
import { createInvitations } from './invitations/invitations.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { createImportedHashes } from './passwords/imported-hashes.ts';
import { createPasswordChanges, findCredentialId } from './passwords/password-changes.ts';
import { createPasswordHashing } from './passwords/password-hashing.ts';
import { refuseGuessable } from './passwords/password-rules.ts';
import { createProofs } from './proof.ts';
import { createSecondFactor } from './second-factor/second-factor.ts';
import type { Session, WithCookies } from './sessions/session.ts';
import { createSessions } from './sessions/sessions.ts';
import { isKeptAddress } from './sign-in-methods.ts';

export type Auth = ReturnType<typeof createAuth>;

/**
 * Returns a function that mails the owner of an account about a change after the response, if it succeeds.
 * Call it before the change, because a full queue refuses the request.
 */
export function createOwnerMails({ afterResponse }: FastifyInstance, { mailOwner }: Auth) {
  return (reply: FastifyReply, session: Session, change: AccountChange) =>
    afterResponse.add(reply, 'mail about the account', async () => {
      if (reply.statusCode < 300) await mailOwner(session, change);
    });
}

/** Creates the sign-in operations that this server offers. */
export function createAuth(context: AppContext, log: Log = console) {
  const { database, environment } = context;
  const passwords = createPasswordHashing(log, context.scrypt, createImportedHashes(database));
  const mailer = createLimitedMailer(context, log);
  const loadBetterAuth = lazily(async () => {
    const { call, createBetterAuth, verificationToken } = await import('./better-auth.ts');
    return { call, verificationToken, ...(await createBetterAuth(context, { passwords, mailer })) };
  });

  const callBetterAuth: CallBetterAuth = async (operation) => {
    const { api, call } = await loadBetterAuth();
    return call(operation(api));
  };
  const sessions = createSessions(context, callBetterAuth);
  const passkeys = createPasskeys(context);
  const secondFactor = createSecondFactor(context, (operation) =>
    passwords.handle({ proved: true }, () => callBetterAuth(operation)),
  );
  const emailVerification = createEmailVerification(context, {
    callBetterAuth,
    passwords,
    mailer,
    findSession: async (headers) => (await sessions.findSession(headers, false)).result,
    verifyAndSignIn: async (user, headers) => {
      const { result: before } = await sessions.findSession(headers, false);
      const { verificationToken } = await loadBetterAuth();
      const query = { token: await verificationToken(context.authSecret, user) };
      const { cookies } = await callBetterAuth((api) =>
        api.verifyEmail({ query, headers, returnHeaders: true }),
      );
      const session = await sessions.findNewSession(cookies);
      if (!session?.secondFactor || session.id === before?.id) return { result: session, cookies };
      await database.deleteFrom('sessions').where('id', '=', session.id).execute();
      return { result: undefined, cookies: [] };
    },
  });

  const passwordChanges = createPasswordChanges(context, {
    callBetterAuth,
    passwords,
    findSession: sessions.findSession,
    mailSignUpAgain: emailVerification.mailSignUpAgain,
  });

  return {
    ...sessions,
    ...passwordChanges,
    ...passkeys,
    ...createProofs(context, { callBetterAuth, passwords, isOwnPasskey: passkeys.isOwnPasskey }),
    emailVerification,
    invitations: createInvitations(context, {
      mailer,
      signUpInvited: emailVerification.signUpInvited,
      findSession: async (headers) => (await sessions.findSession(headers, false)).result,
    }),
    secondFactor: {
      ...secondFactor,
      /** Checks the code of a new authenticator, enables the second factor, and makes the session strong. */
      async confirm(...given: Parameters<typeof secondFactor.confirm>): Promise<WithCookies<unknown>> {
        const confirmed = await secondFactor.confirm(...given);
        await sessions.markStrong(confirmed.cookies);
        return confirmed;
      },
    },
    ...createEmailChanges(context, mailer),
    /** Sign-in with Google; `undefined` when no client id is configured. */
    google: createGoogleSignIn(context, { passwords, mailer }),

    /** Tells the owner about a change of how the account is entered, if the email address is verified. */
    async mailOwner({ uid }: Session, change: AccountChange): Promise<void> {
      const owner = await database
        .selectFrom('users')
        .select(['displayName as name', 'email'])
        .where('id', '=', uid)
        .where('emailVerified', '=', true)
        .executeTakeFirst();
      const mail = owner && accountChangeMail(owner, change, `${environment.publicUrl}/account`);
      if (mail) await mailer.send('account-change', mail);
    },

    /**
     * Waits about four seconds if the queue of passwords is full. @param known true for a known browser
     * @throws AppError `server/unavailable` if the queue is still full
     */
    waitForCapacity: (known: boolean) => passwords.waitForSpace(priorityOf(known)),

    /** @throws AppError `auth/email-taken`; `auth/email-not-verified` if email addresses must be verified */
    async signUp(
      { displayName, email, password }: SignUpInput,
      headers: Headers,
    ): Promise<WithCookies<Session>> {
      await refuseGuessable(password, { name: displayName, email });
      const readyHash = await passwords.hash(password);
      if (await isKeptAddress(database, email.toLowerCase())) throw new AppError('auth/email-taken');
      const body = { name: displayName, email, password };
      const { result, cookies } = await passwords.handle({ readyHash }, () =>
        callBetterAuth((api) => api.signUpEmail({ body, headers, returnHeaders: true })),
      );
      if (result.token === null) throw new AppError('auth/email-not-verified');
      return sessions.getNewSession(cookies);
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
        // An account that can still take this address back counts as its owner.
        const to =
          owner ?? ((await isKeptAddress(database, signUp.email)) ? { email: signUp.email } : undefined);
        if (to)
          await mailer.send('existing-account', existingAccountMail(to, `${environment.publicUrl}/login`));
        else await emailVerification.mailSignUp(signUp, browser);
      };
    },

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
      const credentialId = await findCredentialId(database, input);
      const priority = priorityOf(known);
      const { result, cookies } = await passwords.handle({ priority, isSignIn: true }, () =>
        callBetterAuth((api) => api.signInEmail({ body: input, headers, returnHeaders: true })),
      );
      if ('twoFactorRedirect' in result) return { result: undefined, cookies };
      const begun = await sessions.getNewSession(cookies);
      if (credentialId === (await findCredentialId(database, begun.result))) return begun;
      await database.deleteFrom('sessions').where('id', '=', begun.result.id).execute();
      throw new AppError('auth/invalid-credentials');
    },

    /** Completes a sign-in that needs a second factor. @throws AppError `auth/wrong-code` */
    async finishSignIn(code: string, headers: Headers): Promise<WithCookies<Session>> {
      const { cookies } = await secondFactor.finishSignIn(code, headers);
      await sessions.markStrong(cookies);
      return sessions.getNewSession(cookies);
    },

    /** `endWaits` ends the waits of `waitForCapacity`; `close` ends the thread that hashes passwords. */
    endWaits: passwords.endWaits,
    close: passwords.close,
  };
}

const priorityOf = (known: boolean) => (known ? 'known' : 'unknown');
