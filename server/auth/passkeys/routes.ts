import type { FastifyInstance, FastifyRequest } from 'fastify';
import { paths, routes } from '#contract/paths.ts';
import { passkeyAssertion, passkeyInput, passkeyRename } from '#contract/sign-in/passkeys.ts';
import { proof } from '#contract/sign-in/proof.ts';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import { networkOf } from '#server/http/networks.ts';
import { parse } from '#server/http/parse.ts';
import { type Auth, createOwnerMails } from '../auth.ts';
import { requireSession } from '../guards.ts';
import { limitAttempts } from '../rate-limits.ts';
import { sessionInfoOf } from '../routes.ts';
import { createSignInCompletion } from '../sessions/complete-sign-in.ts';
import { authHeaders } from '../sessions/cookies.ts';

/** Registers the routes of passkeys. */
export async function passkeyRoutes(
  app: FastifyInstance,
  { context, auth }: { context: AppContext; auth: Auth },
) {
  const { completeSignIn } = createSignInCompletion(context);
  const mailOwner = createOwnerMails(app, auth);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.get(paths.auth.passkeyChallenge, async (request) => auth.getPasskeyChallenge(request.session));

  app.post(paths.auth.passkeySignIn, async (request, reply) => {
    const assertion = parse(passkeyAssertion, request.body);
    await limitAttempts(context, ['signInByAddress', networkOf(request.ip)]);
    const { result, cookies } = await auth.signInWithPasskey(assertion, request.session, request);
    await completeSignIn(request, reply, { ...result, cookies });
    return reply.send(sessionInfoOf(result));
  });

  /** Begins to add a passkey; the challenge of the response shows that the user has given the proof. */
  app.post(paths.auth.beginPasskey, async (request) => {
    const given = parse(proof, request.body);
    const session = requireSession(request);
    await auth.requireProof(session, given, authHeaders(request));
    return auth.beginPasskey(session);
  });

  app.post(paths.auth.passkeys, async (request, reply) => {
    const input = parse(passkeyInput, request.body);
    const session = requireSession(request);
    mailOwner(reply, session, 'passkey-added');
    await auth.addPasskey(input, session);
    request.noteSecurity('passkey added', { uid: session.uid });
    return reply.code(204).send();
  });

  app.patch(routes.passkey, async (request, reply) => {
    const { name } = parse(passkeyRename, request.body);
    await auth.renamePasskey(idOf(request), name, requireSession(request));
    return reply.code(204).send();
  });

  app.post(routes.deletePasskey, async (request, reply) => {
    const given = parse(proof, request.body);
    const session = requireSession(request);
    mailOwner(reply, session, 'passkey-removed');
    await auth.requireProof(session, given, authHeaders(request));
    await auth.deletePasskey(idOf(request), session);
    request.noteSecurity('passkey removed', { uid: session.uid });
    return reply.code(204).send();
  });
}

/** PostgreSQL refuses a string with a NUL character. */
function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!/^[\w-]{1,100}$/.test(id)) throw new AppError('documents/not-found');
  return id;
}
