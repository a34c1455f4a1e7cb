import type { FastifyInstance } from 'fastify';
import { passwordChange } from '#contract/account.ts';
import { paths, routes } from '#contract/paths.ts';
import { proof } from '#contract/sign-in/proof.ts';
import type { Auth } from '../auth/auth.ts';
import { requireSession } from '../auth/guards.ts';
import { limitAttempts } from '../auth/rate-limits.ts';
import { setCookies } from '../auth/routes.ts';
import { createSignInCompletion } from '../auth/sessions/complete-sign-in.ts';
import { authHeaders } from '../auth/sessions/cookies.ts';
import type { AppContext } from '../context.ts';
import { parse } from '../http/parse.ts';
import { deleteAccount } from './delete-account.ts';

/** Registers the routes for a user's account: password, sessions, deletion. */
export async function accountRoutes(
  app: FastifyInstance,
  {
    context,
    auth,
    removeDiscarded,
  }: { context: AppContext; auth: Auth; removeDiscarded: () => Promise<void> },
) {
  const { database, databaseKind } = context;
  const { completeSignIn } = createSignInCompletion(context);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.get(paths.auth.sessions, async (request) => {
    const { id } = requireSession(request);
    return { sessions: await auth.listSessions(authHeaders(request), id) };
  });

  /** Ends one session of the user, for example that of a lost phone. The session may have ended already. */
  app.delete(routes.session, async (request, reply) => {
    const { id } = request.params as { id: string };
    // Ignore malformed ids: PostgreSQL refuses a string with a NUL character.
    if (/^[\w-]{1,100}$/.test(id)) await auth.endSession({ id, uid: requireSession(request).uid });
    return reply.code(204).send();
  });

  app.post(paths.auth.endOtherSessions, async (request, reply) => {
    await auth.endOtherSessions(requireSession(request));
    return reply.code(204).send();
  });

  app.post(paths.auth.changePassword, async (request, reply) => {
    const change = parse(passwordChange, request.body);
    const { uid, email } = requireSession(request);
    await limitAttempts(context, ['passwordByAccount', uid]);
    const { cookies } = await auth.changePassword(change, authHeaders(request));
    request.noteSecurity('password changed', { uid });
    await completeSignIn(request, reply, { uid, email, cookies });
    return reply.code(204).send();
  });

  app.post(paths.auth.deleteAccount, async (request, reply) => {
    const given = parse(proof, request.body);
    const session = requireSession(request);
    const { uid } = session;
    const headers = authHeaders(request);
    await auth.requireProof(session, given, headers);
    await deleteAccount(database, databaseKind, session);
    // The account is already deleted, so an error here must not fail the request. If files are left, the
    // hourly clean-up removes them.
    await removeDiscarded().catch((error: unknown) => request.log.error(error));
    // The session was deleted with the account; this makes the browser delete its cookie.
    const { cookies } = await auth.signOut(headers);
    request.noteSecurity('account deleted', { uid });
    return setCookies(reply.code(204), cookies).send();
  });
}
