import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#server/context.ts';
import { forgetAttempts, networkOf } from '../rate-limits.ts';
import { createKnownBrowsers } from './known-browsers.ts';

/**
 * Every operation that begins or replaces a session must end with `begin`. `begin` sets the cookies, makes
 * the browser known to the account, and resets the owner's counts of sign-in attempts. Without it, strangers
 * who guess passwords could lock out the owner.
 */
export function createBegunSession(context: AppContext) {
  const knownBrowsers = createKnownBrowsers(context);

  return {
    findKnownBrowser: knownBrowsers.find,

    async begin(
      request: FastifyRequest,
      reply: FastifyReply,
      { uid, email, cookies }: { uid: string; email: string; cookies: string[] },
    ): Promise<void> {
      await forgetAttempts(context, 'signInByAccountAndAddress', `${email} ${networkOf(request.ip)}`);
      const known = await knownBrowsers.remember(request.headers.cookie, uid);
      reply.header('set-cookie', [...cookies, known]);
    },
  };
}
