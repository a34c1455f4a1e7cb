import type { FastifyInstance } from 'fastify';
import { paths } from '#contract/paths.ts';
import { proof } from '#contract/sign-in/proof.ts';
import { authenticatorCode, secondFactorCode } from '#contract/sign-in/second-factor.ts';
import type { AppContext } from '#server/context.ts';
import { parse } from '#server/http/parse.ts';
import { networkOf } from '../../http/networks.ts';
import { type Auth, createOwnerMails } from '../auth.ts';
import { requireSession } from '../guards.ts';
import { limitAttempts } from '../rate-limits.ts';
import { sessionInfoOf } from '../routes.ts';
import { createSignInCompletion } from '../sessions/complete-sign-in.ts';
import { authHeaders } from '../sessions/cookies.ts';

/** Registers the routes of the second factor: an authenticator's code after the password. */
export async function secondFactorRoutes(
  app: FastifyInstance,
  { context, auth }: { context: AppContext; auth: Auth },
) {
  const { completeSignIn } = createSignInCompletion(context);
  const mailOwner = createOwnerMails(app, auth);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  /** Begins the set-up; the second factor is on once a code is confirmed. */
  app.post(paths.auth.secondFactorEnable, async (request) => {
    const given = parse(proof, request.body);
    const session = requireSession(request);
    const headers = authHeaders(request);
    await auth.requireProof(session, given, headers);
    return auth.secondFactor.begin(headers, session);
  });

  app.post(paths.auth.secondFactorConfirm, async (request, reply) => {
    const { code } = parse(authenticatorCode, request.body);
    const session = requireSession(request);
    const { uid, email } = session;
    mailOwner(reply, session, 'second-factor-on');
    await limitAttempts(context, ['passwordByAccount', uid]);
    const { cookies } = await auth.secondFactor.confirm(code, uid, authHeaders(request));
    request.noteSecurity('second factor on', { uid });
    await completeSignIn(request, reply, { uid, email, cookies });
    return reply.code(204).send();
  });

  app.post(paths.auth.secondFactorDisable, async (request, reply) => {
    const given = parse(proof, request.body);
    const session = requireSession(request);
    mailOwner(reply, session, 'second-factor-off');
    await auth.requireProof(session, given, authHeaders(request));
    await auth.secondFactor.end(session);
    request.noteSecurity('second factor off', { uid: session.uid });
    return reply.code(204).send();
  });

  /** The second step of a sign-in; a cookie of the first step identifies the account. */
  app.post(paths.auth.secondFactorVerify, async (request, reply) => {
    const { code } = parse(secondFactorCode, request.body);
    await limitAttempts(context, ['signInByAddress', networkOf(request.ip)]);
    const { result, cookies } = await auth.finishSignIn(code, authHeaders(request));
    await completeSignIn(request, reply, { ...result, cookies });
    return reply.send(sessionInfoOf(result));
  });
}
