import type { AppContext } from '#server/context.ts';
import { hashOfIdentifier } from '../hashed-tokens.ts';
import { cookiePrefix, readSignedCookie } from './cookies.ts';

/** Creates a function that finds the user who has given the password, but not yet the second factor. */
export function createPendingSignIns({ database, authSecret, environment }: AppContext) {
  const name = `${cookiePrefix(environment.publicUrl)}.two_factor`;

  /** @returns the user's id */
  return async (cookies: string): Promise<string | undefined> => {
    const identifier = readSignedCookie(cookies, name, authSecret);
    if (!identifier) return undefined;
    const row = await database
      .selectFrom('verifications')
      .select('value')
      .where('identifier', '=', hashOfIdentifier(identifier))
      .executeTakeFirst();
    return row?.value;
  };
}
