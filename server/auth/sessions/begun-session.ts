import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#server/context.ts';
import { forgetAttempts, networkOf } from '../rate-limits.ts';
import { createKnownBrowser } from './known-browser.ts';

export type SendBegunSession = ReturnType<typeof createBegunSession>;

/**
 * Every operation that begins or replaces a session must end with `begin`. `begin` sets the cookies, marks
 * the browser as known to the account, and resets the owner's counts of sign-in attempts. Without it,
 * strangers who guess passwords could lock out the owner.
 */
export function createBegunSession(context: AppContext) {
  const knownBrowser = createKnownBrowser(context.authSecret, context.environment.publicUrl);

  return {
    knows: knownBrowser.knows,

    async begin(
      request: FastifyRequest,
      reply: FastifyReply,
      { email, cookies }: { email: string; cookies: string[] },
    ): Promise<void> {
      await forgetAttempts(context, 'signInByKnownBrowser', email);
      await forgetAttempts(context, 'signInByAccountAndAddress', `${email} ${networkOf(request.ip)}`);
      reply.header('set-cookie', [...cookies, knownBrowser.remember(request.headers.cookie, email)]);
    },
  };
}
