import type { FastifyInstance } from 'fastify';
import { paths, routes } from '#contract/paths.ts';
import {
  type Invitations,
  invitationAcceptance,
  invitationInput,
  invitationToken,
} from '#contract/sign-in/invitation.ts';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import { networkOf } from '#server/http/networks.ts';
import { parse } from '#server/http/parse.ts';
import type { Auth } from '../auth.ts';
import { requireSession } from '../guards.ts';
import { limitAttempts } from '../rate-limits.ts';
import { createSignInCompletion } from '../sessions/complete-sign-in.ts';
import { authHeaders } from '../sessions/cookies.ts';
import type { Acceptance } from './invitations.ts';

/** Registers the routes of invitations. Links go only by mail: no response contains one. */
export async function invitationRoutes(
  app: FastifyInstance,
  { context, auth: { invitations } }: { context: AppContext; auth: Auth },
) {
  const { afterResponse } = app;
  const { completeSignIn } = createSignInCompletion(context);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.get(
    paths.auth.invitations,
    async (request): Promise<Invitations> => ({
      invitations: await invitations.list(requireSession(request).uid),
      sendsMail: context.environment.smtpUrl !== undefined,
    }),
  );

  app.post(paths.auth.invitations, async (request, reply) => {
    const input = parse(invitationInput, request.body);
    const { uid: by } = requireSession(request);
    await invitations.invite(input, by);
    request.noteSecurity('person invited', { by, member: String(input.member) });
    return reply.code(204).send();
  });

  app.delete(routes.invitation, async (request, reply) => {
    const { id } = request.params as { id: string };
    if (!/^[\w-]{1,100}$/.test(id) || !(await invitations.withdraw(id)))
      throw new AppError('documents/not-found');
    request.noteSecurity('invitation withdrawn', { by: requireSession(request).uid });
    return reply.code(204).send();
  });

  /** The page of the link asks this before the click, because mail programs open links by themselves. */
  app.post(paths.auth.invitationLink, async (request) => {
    const { token } = parse(invitationToken, request.body);
    await limitAttempts(context, ['invitationByAddress', networkOf(request.ip)]);
    return invitations.describeLink(token, authHeaders(request));
  });

  app.post(paths.auth.acceptInvitation, async (request, reply) => {
    const input = parse(invitationAcceptance, request.body);
    await limitAttempts(context, ['invitationByAddress', networkOf(request.ip)]);
    let accepted: Acceptance | undefined;
    // First, because a full queue refuses the request.
    afterResponse.add(reply, 'mails about a new admin', async () => accepted?.tellAdmins());
    accepted = await invitations.accept(input, authHeaders(request));
    const { session, cookies, member, inviterId } = accepted;
    request.noteSecurity('invitation accepted', { by: inviterId, uid: session.uid, member });
    if (cookies.length > 0) await completeSignIn(request, reply, { ...session, cookies });
    return reply.code(204).send();
  });
}
