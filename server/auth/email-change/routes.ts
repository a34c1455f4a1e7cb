import type { FastifyInstance } from 'fastify';
import { paths } from '#contract/paths.ts';
import { emailChangeInput, emailChangeToken } from '#contract/sign-in/email-change.ts';
import type { AppContext } from '#server/context.ts';
import { evenTime } from '#server/http/after-response.ts';
import { networkOf } from '#server/http/networks.ts';
import { parse } from '#server/http/parse.ts';
import type { Auth } from '../auth.ts';
import { requireSession } from '../guards.ts';
import { limitAttempts } from '../rate-limits.ts';
import { createSignInCompletion } from '../sessions/complete-sign-in.ts';
import { authHeaders } from '../sessions/cookies.ts';

/** Registers the routes that change an account's email address. Links go only by mail. */
export async function emailChangeRoutes(
  app: FastifyInstance,
  { context, auth }: { context: AppContext; auth: Auth },
) {
  const { afterResponse } = app;
  const { completeSignIn } = createSignInCompletion(context);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.post(paths.auth.emailChange, evenTime, async (request, reply) => {
    const { email, ...proof } = parse(emailChangeInput, request.body);
    const session = requireSession(request);
    await auth.requireProof(session, proof, authHeaders(request));
    let sendMails: (() => Promise<void>) | undefined;
    // First, because a full queue refuses the request.
    afterResponse.add(reply, 'mails about a new email address', async () => sendMails?.());
    sendMails = await auth.requestEmailChange(session, email);
    request.noteSecurity('email change requested', { uid: session.uid });
    return reply.code(202).send();
  });

  app.delete(paths.auth.emailChange, async (request, reply) => {
    await auth.withdrawEmailChange(requireSession(request));
    return reply.code(204).send();
  });

  /** The pages of both links send these only after a click, because mail programs open links. */
  app.post(paths.auth.confirmEmailChange, async (request, reply) => {
    const { token } = parse(emailChangeToken, request.body);
    await limitAttempts(context, ['invitationByAddress', networkOf(request.ip)]);
    const session = requireSession(request);
    const { uid } = session;
    const { email, cookies } = await auth.confirmEmailChange(token, session);
    request.noteSecurity('email changed', { uid });
    await completeSignIn(request, reply, { uid, email, cookies });
    return reply.code(204).send();
  });

  app.post(paths.auth.takeEmailBack, async (request) => {
    const { token } = parse(emailChangeToken, request.body);
    await limitAttempts(context, ['invitationByAddress', networkOf(request.ip)]);
    const { uid, email } = await auth.takeEmailBack(token);
    request.noteSecurity('email change taken back', { uid });
    return { email };
  });
}
