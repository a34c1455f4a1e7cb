import type { FastifyInstance } from 'fastify';
import { paths } from '#contract/paths.ts';
import { authenticatorCode, secondFactorCode, secondFactorPassword } from '#contract/second-factor.ts';
import type { AppContext } from '#server/context.ts';
import { parse } from '#server/http/parse.ts';
import { networkOf } from '../../http/networks.ts';
import type { Auth } from '../auth.ts';
import { requireSession } from '../guards.ts';
import { limitAttempts } from '../rate-limits.ts';
import { sessionInfoOf } from '../routes.ts';
import { createSignInCompletion } from '../sessions/complete-sign-in.ts';
import { authHeaders } from '../sessions/cookies.ts';

/**
 * Registers the routes of the second factor: an authenticator's code after the password. Only editors
 * and admins may enable it.
 */
export async function secondFactorRoutes(
  app: FastifyInstance,
  { context, auth }: { context: AppContext; auth: Auth },
) {
  const { completeSignIn } = createSignInCompletion(context);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  /** Begins the set-up; the second factor is on once a code is confirmed. */
  app.post(paths.auth.secondFactorEnable, async (request) => {
    const { password } = parse(secondFactorPassword, request.body);
    await limitAttempts(context, ['passwordByAccount', requireSession(request).uid]);
    return auth.secondFactor.begin(password, authHeaders(request), requireSession(request));
  });

  app.post(paths.auth.secondFactorConfirm, async (request, reply) => {
    const { code } = parse(authenticatorCode, request.body);
    const { uid, email } = requireSession(request);
    await limitAttempts(context, ['passwordByAccount', uid]);
    const { cookies } = await auth.secondFactor.confirm(code, uid, authHeaders(request));
    request.noteSecurity('second factor on', { uid });
    await completeSignIn(request, reply, { uid, email, cookies });
    return reply.code(204).send();
  });

  app.post(paths.auth.secondFactorDisable, async (request, reply) => {
    const { password } = parse(secondFactorPassword, request.body);
    const session = requireSession(request);
    await limitAttempts(context, ['passwordByAccount', session.uid]);
    await auth.secondFactor.end(password, authHeaders(request), session);
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
