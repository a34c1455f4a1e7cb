import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '#server/http/constant-time.ts';

const yearSeconds = 365 * 24 * 60 * 60;
const maxAccounts = 5;

/**
 * Remembers in a cookie the accounts that a browser has signed in to, so that strangers who guess an
 * account's password do not lock its owner out of this browser ("device cookies",
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 * @param publicUrl decides the cookie's name and whether it needs https
 */
export function createKnownBrowser(authSecret: string, publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-acolhe-known' : 'acolhe-known';
  const markOf = (email: string) =>
    createHmac('sha256', authSecret).update(`known browser ${email}`).digest('base64url').slice(0, 22);

  const marksIn = (cookies: string | undefined): string[] => {
    const pair = cookies?.split(';').find((one) => one.trim().startsWith(`${name}=`));
    return pair ? pair.slice(pair.indexOf('=') + 1).split('.') : [];
  };

  return {
    /** True if the browser that sent these cookies has signed in to the account before. */
    knows(cookies: string | undefined, email: string): boolean {
      return marksIn(cookies).some((mark) => equalInConstantTime(mark, markOf(email)));
    },

    /**
     * Returns the `Set-Cookie` line after a sign-in. It holds a mark for each of the last accounts that
     * signed in, newest first.
     */
    remember(cookies: string | undefined, email: string): string {
      const marks = [markOf(email), ...marksIn(cookies).filter((mark) => mark !== markOf(email))];
      const value = marks.slice(0, maxAccounts).join('.');
      return `${name}=${value}; Max-Age=${yearSeconds}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    },
  };
}
