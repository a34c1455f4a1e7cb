import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { appCheckProof } from '#contract/app-check.ts';
import {
  emailVerification,
  emailVerificationToken,
  firstAdminInput,
  passwordReset,
  passwordResetRequest,
  signInInput,
  signUpInput,
} from '#contract/credentials.ts';
import { errorMessages } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import type { SignInResponse } from '#contract/sign-in/second-factor.ts';
import type { SessionInfo, SignInMethods } from '#contract/user.ts';
import type { AppContext } from '../context.ts';
import { isLocalhost } from '../environment.ts';
import { evenTime } from '../http/after-response.ts';
import { AppError } from '../http/errors.ts';
import { networkOf } from '../http/networks.ts';
import { parse } from '../http/parse.ts';
import { mailboxOf } from '../mail/limited-mailer.ts';
import type { AppCheck } from './app-check/app-check.ts';
import type { Auth } from './auth.ts';
import { takeFirstAdminLink } from './first-admin.ts';
import { googleLanding } from './google/google.ts';
import { appCheckHolder, requireSession, visitorHolder } from './guards.ts';
import { limitAttempts, rateLimits, tryAttempts } from './rate-limits.ts';
import { createSignInCompletion } from './sessions/complete-sign-in.ts';
import { authHeaders } from './sessions/cookies.ts';
import type { Session } from './sessions/session.ts';
import type { StorageBearer } from './sessions/storage-bearer.ts';

/** The query parameters that a provider adds to the callback; the rest is ignored. */
const providerResponse = z.object({
  code: z.optional(z.string()),
  state: z.optional(z.string()),
  error: z.optional(z.string()),
  iss: z.optional(z.string()),
});

const mailPauseSeconds = rateLimits.mailByRecipient.windowMs / 1_000;

const waitingSignUpMessage = `${errorMessages['auth/invalid-credentials']} Se você acabou de se cadastrar, \
confirme antes o seu e-mail pelo link que enviamos.`;

/** Registers the routes of the sign-in service. */
export async function authService(
  app: FastifyInstance,
  {
    context,
    auth,
    appCheck,
    bearer,
  }: { context: AppContext; auth: Auth; appCheck: AppCheck; bearer: StorageBearer },
) {
  const { environment } = context;
  const { afterResponse } = app;
  const { findKnownBrowser, completeSignIn } = createSignInCompletion(context);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.post(paths.auth.signUp, evenTime, async (request, reply) => {
    const input = parse(signUpInput, request.body);
    await limitAttempts(context, ['signUpByAddress', networkOf(request.ip)]);
    const browser = auth.emailVerification.markBrowser(request, reply);
    if (environment.requireVerifiedEmail) {
      const work = await auth.prepareSignUp(input, browser);
      afterResponse.add(reply, 'sign-up', work);
      throw new AppError('auth/email-not-verified');
    }
    let created = false;
    if (!isLocalhost(environment.publicUrl))
      afterResponse.add(
        reply,
        'verification mail',
        async () => created && auth.emailVerification.mailUser(input.email, browser, true),
      );
    const { result, cookies } = await auth.signUp(input, authHeaders(request));
    created = true;
    await completeSignIn(request, reply, { ...result, cookies });
    return reply.code(201).send(sessionInfoOf(result));
  });

  app.post(paths.auth.signIn, evenTime, async (request, reply) => {
    const input = parse(signInInput, request.body);
    const email = input.email.toLowerCase();
    const browser = await findKnownBrowser(request.headers.cookie, email);
    await auth.waitForCapacity(browser !== undefined);
    await limitSignIn(request, email, browser);
    const { result, cookies } = await auth
      .signIn(input, authHeaders(request), browser !== undefined)
      .catch((error: unknown) => {
        throw error instanceof AppError ? refusalOf(error) : error;
      });
    if (!result) return setCookies(reply, cookies).send({ secondFactor: true } satisfies SignInResponse);
    await completeSignIn(request, reply, { ...result, cookies });
    return reply.send(sessionInfoOf(result));

    function refusalOf(error: AppError): AppError {
      if (error.code === 'auth/email-not-verified') {
        // The password was right, so the owner gets another link.
        const browser = auth.emailVerification.markBrowser(request, reply);
        afterResponse.add(reply, 'verification mail', () =>
          auth.emailVerification.mailUser(input.email, browser),
        );
      }
      // A sign-up has no account before its proof, so its password is refused like a wrong one.
      return error.code === 'auth/invalid-credentials' && environment.requireVerifiedEmail
        ? new AppError(error.code, { cause: error, message: waitingSignUpMessage })
        : error;
    }
  });

  app.post(paths.auth.signOut, async (request, reply) => {
    const { cookies } = await auth.signOut(authHeaders(request));
    return setCookies(reply.code(204), cookies).send();
  });

  app.get(paths.auth.session, async (request, reply) => {
    const { result, cookies } = await auth.findSession(authHeaders(request), true);
    return setCookies(reply, cookies)
      .type('application/json')
      .send(result ? sessionInfoOf(result) : 'null');
  });

  app.post(paths.auth.requestPasswordReset, evenTime, async (request, reply) => {
    const email = parse(passwordResetRequest, request.body).email.toLowerCase();
    await limitAttempts(context, ['resetByAddress', networkOf(request.ip)]);
    // Requests of strangers must not use up the attempts of the owner's known browser.
    const mailbox = mailboxOf(email);
    const browser = await findKnownBrowser(request.headers.cookie, email);
    const who = browser === undefined ? mailbox : `known ${browser}`;
    const allowed = await tryAttempts(context, ['resetByAccount', who], ['resetByAccountADay', who]);
    if (allowed) {
      const from = linkRequestOf(request);
      afterResponse.add(reply, 'password reset', () => auth.requestPasswordReset(email, from));
    }
    return reply.code(202).send();
  });

  app.post(paths.auth.resetPassword, async (request, reply) => {
    await auth.resetPassword(parse(passwordReset, request.body));
    return reply.code(204).send();
  });

  /**
   * The page of the verification link sends this only after a click, because mail programs open links by
   * themselves.
   */
  app.post(paths.auth.verifyEmail, async (request, reply) => {
    const input = parse(emailVerification, request.body);
    const { result, cookies } = await auth.emailVerification.verify(input, linkRequestOf(request));
    if (result) await completeSignIn(request, reply, { ...result, cookies });
    else setCookies(reply, cookies);
    return reply.code(204).send();
  });

  /** The page asks this before the click, to show the address and what is needed. */
  app.post(paths.auth.verificationLink, async (request) => {
    const { token } = parse(emailVerificationToken, request.body);
    return auth.emailVerification.describeLink(token, linkRequestOf(request));
  });

  /**
   * Handles the links that earlier versions of the program mailed. These links are no longer valid. The page
   * that this route redirects to offers a new link.
   */
  app.get(paths.auth.verifyEmail, async (_request, reply) =>
    reply.redirect('/email-confirmado?erro=link', 303),
  );

  app.post(paths.auth.sendVerificationEmail, async (request, reply) => {
    const { uid, email, emailVerified } = requireSession(request);
    await limitAttempts(context, ['verificationByAccount', uid]);
    if (emailVerified) return reply.code(204).send();
    const browser = auth.emailVerification.markBrowser(request, reply);
    if (!(await auth.emailVerification.mailUser(email, browser)))
      throw new AppError('auth/too-many-attempts', { retryAfterSeconds: mailPauseSeconds });
    return reply.code(204).send();
  });

  app.get(paths.auth.methods, async (): Promise<SignInMethods> => ({ google: auth.google !== undefined }));

  /**
   * Begins a sign-in with Google. With `?confirmar`, it confirms the identity of the user of the open
   * session.
   */
  app.get(paths.auth.google, async (request, reply) => {
    if (!auth.google) throw new AppError('request/not-found');
    const { confirmar } = request.query as { confirmar?: unknown };
    try {
      // Limited, because each sign-in with Google stores a row in `verifications` until it ends or expires.
      await limitAttempts(context, ['googleByAddress', networkOf(request.ip)]);
      const headers = authHeaders(request);
      const confirms = confirmar === undefined ? undefined : (await auth.findSession(headers, false)).result;
      const { result, cookies } = await auth.google.start(headers, confirms);
      return setCookies(reply, cookies).redirect(result, 303);
    } catch (error) {
      return redirectAfterFailure(request, reply, error, confirmar !== undefined);
    }
  });

  app.get(paths.auth.googleCallback, async (request, reply) => {
    if (!auth.google) throw new AppError('request/not-found');
    try {
      const query = parse(providerResponse, request.query);
      const { result, cookies, user } = await auth.google.finish(query, authHeaders(request));
      if (user === undefined) setCookies(reply, cookies);
      else await completeSignIn(request, reply, { ...user, cookies });
      return reply.redirect(result, 303);
    } catch (error) {
      return redirectAfterFailure(request, reply, error, false);
    }
  });

  app.get(paths.auth.appCheckChallenge, async (request) => {
    const holder = await holderOf(request);
    // Users need a challenge for each file that they upload, and some upload many.
    if (holder === visitorHolder) await limitAttempts(context, ['challengeByAddress', networkOf(request.ip)]);
    return appCheck.challenge(holder);
  });

  app.post(paths.auth.appCheck, async (request) => {
    const proof = parse(appCheckProof, request.body);
    return { token: await appCheck.exchange(proof, await holderOf(request)) };
  });

  app.get(paths.auth.storageBearer, async (request) => bearer.issue(requireSession(request)));

  app.post(paths.auth.firstAdmin, async (request, reply) => {
    const { token } = parse(firstAdminInput, request.body);
    const { uid } = requireSession(request);
    await takeFirstAdminLink(context, token, uid);
    request.noteSecurity('first admin', { uid });
    return reply.code(204).send();
  });

  /**
   * Rate-limits sign-in. Attempts from unknown browsers, even on the same network, never count against a
   * known browser.
   */
  async function limitSignIn(request: FastifyRequest, email: string, knownBrowser: string | undefined) {
    if (knownBrowser !== undefined) return limitAttempts(context, ['signInByKnownBrowser', knownBrowser]);
    const network = networkOf(request.ip);
    return limitAttempts(
      context,
      ['signInByAddress', network],
      ['signInByAccountAndAddress', `${email} ${network}`],
      ['signInByAccount', email],
    );
  }

  /** Redirects to a page after a failed sign-in with Google, because browsers open these routes as pages. */
  function redirectAfterFailure(
    request: FastifyRequest,
    reply: FastifyReply,
    err: unknown,
    confirms: boolean,
  ) {
    request.log[err instanceof AppError ? 'warn' : 'error']({ err }, 'sign-in with Google failed');
    return reply.redirect(googleLanding(confirms, 'falhou'), 303);
  }

  async function holderOf(request: FastifyRequest): Promise<string> {
    return appCheckHolder((await auth.findSession(authHeaders(request), false)).result);
  }
}

const linkRequestOf = (request: FastifyRequest) => ({
  cookie: request.headers.cookie,
  headers: authHeaders(request),
});

/** Returns the session data for the browser's code, without the session token. */
export function sessionInfoOf({
  uid,
  email,
  emailVerified,
  secondFactor,
  startedAt,
  expiresAt,
}: Session): SessionInfo {
  return { user: { uid, email, emailVerified, secondFactor }, startedAt, expiresAt };
}

export function setCookies(reply: FastifyReply, cookies: string[]): FastifyReply {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return reply;
}
