import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#server/context.ts';
import { networkOf } from '../../http/networks.ts';
import { hashOfToken } from '../hashed-tokens.ts';
import { forgetAttempts } from '../rate-limits.ts';
import { cookieLine, cookiePrefix, readCookie } from './cookies.ts';

/**
 * Every operation that begins or replaces a session must end with `completeSignIn`. It sets the cookies,
 * makes the browser known to the account, and resets the owner's counts of sign-in attempts. Without it,
 * strangers who guess passwords could lock out the owner.
 */
export function createSignInCompletion(context: AppContext) {
  const knownBrowsers = createKnownBrowsers(context);

  return {
    findKnownBrowser: knownBrowsers.find,

    async completeSignIn(
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

const yearSeconds = 365 * 24 * 60 * 60;
const maxAccountsOfBrowser = 5;
const maxBrowsersOfAccount = 20;

/**
 * Remembers the browsers that have signed in to an account, so that strangers who guess its password do not
 * lock its owner out of them ("device cookies",
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). A cookie holds a
 * random mark for each account; the database has only hashes of marks.
 */
function createKnownBrowsers({ database, environment: { publicUrl } }: AppContext) {
  const name = `${cookiePrefix(publicUrl)}-known`;
  const marksIn = (cookies: string | undefined) =>
    (readCookie(cookies, name) ?? '')
      .split('.', maxAccountsOfBrowser)
      .filter((mark) => /^[\w-]{22}$/.test(mark));

  return {
    /**
     * Returns the hash of this browser's mark if it has signed in to the account before, since the last reset
     * or change of the password.
     */
    async find(cookies: string | undefined, email: string): Promise<string | undefined> {
      const marks = marksIn(cookies).map(hashOfToken);
      if (marks.length === 0) return undefined;
      const row = await database
        .selectFrom('knownBrowsers')
        .innerJoin('users', 'users.id', 'knownBrowsers.uid')
        .select('mark')
        .where('email', '=', email)
        .where('mark', 'in', marks)
        .executeTakeFirst();
      return row?.mark;
    },

    /** Gives this browser a new mark for the account. @returns the `Set-Cookie` line */
    async remember(cookies: string | undefined, uid: string): Promise<string> {
      const marks = marksIn(cookies);
      const mark = randomBytes(16).toString('base64url');
      const replaced = await database.transaction().execute(async (transaction) => {
        const own = transaction.deleteFrom('knownBrowsers').where('uid', '=', uid);
        const old =
          marks.length === 0
            ? []
            : await own.where('mark', 'in', marks.map(hashOfToken)).returning('mark').execute();
        await transaction
          .insertInto('knownBrowsers')
          .values({ mark: hashOfToken(mark), uid, signedInAt: Date.now() })
          .execute();
        const newest = transaction
          .selectFrom('knownBrowsers')
          .select('mark')
          .where('uid', '=', uid)
          .orderBy('signedInAt', 'desc')
          .limit(maxBrowsersOfAccount);
        await own.where('mark', 'not in', newest).execute();
        return new Set(old.map((row) => row.mark));
      });
      const others = marks.filter((one) => !replaced.has(hashOfToken(one)));
      const value = [mark, ...others].slice(0, maxAccountsOfBrowser).join('.');
      return cookieLine(publicUrl, { name, value, maxAgeSeconds: yearSeconds });
    },
  };
}
