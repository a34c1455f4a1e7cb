import type { GoogleProblem } from '#contract/auth-paths.ts';
import type { AppContext } from '#server/context.ts';
import { takeOverAccount } from '../sign-in-methods.ts';

/** The claims of an ID token that this server uses. */
export type GoogleProfile = {
  sub: string;
  email: string;
  emailVerified: boolean;
  name?: string;
  picture?: string;
};

/**
 * Reads the claims of an ID token whose signature is already verified.
 * @returns undefined when the token has no subject or no email address
 */
export function readProfile(idToken: string): GoogleProfile | undefined {
  const [, payload = ''] = idToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const { sub, email, email_verified: verified, name, picture } = claims;
  if (typeof sub !== 'string' || sub.trim() === '' || typeof email !== 'string') return undefined;
  return {
    sub,
    email: email.toLowerCase(),
    emailVerified: verified === true || verified === 'true',
    ...(typeof name === 'string' && { name }),
    ...(typeof picture === 'string' && { picture }),
  };
}

/**
 * Decides whether to refuse a Google user. It runs before an account is linked or created, and before a
 * session begins. If Google proves the address of an account that was never verified, the account is taken
 * over first.
 * @param confirms the id of the signed-in user, if this sign-in confirms their identity; every other user is
 * then refused
 */
export async function findRefusal(
  { database, environment }: AppContext,
  { sub, email, emailVerified }: GoogleProfile,
  confirms: string | undefined,
): Promise<GoogleProblem | undefined> {
  const columns = ['users.id', 'users.email', 'users.emailVerified', 'users.twoFactorEnabled'] as const;
  const owner = await database
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.userId')
    .select(columns)
    .where('providerId', '=', 'google')
    .where('accountId', '=', sub)
    .executeTakeFirst();
  if (confirms !== undefined && owner?.id !== confirms) return 'outra-pessoa';
  if (environment.requireVerifiedEmail && !emailVerified && !owner?.emailVerified)
    return 'email-nao-confirmado';
  const linkable =
    owner ??
    (await database.selectFrom('users').select(columns).where('email', '=', email).executeTakeFirst());
  if (linkable && linkable.email === email && emailVerified && !linkable.emailVerified) {
    const { id: uid } = linkable;
    await database.transaction().execute(async (transaction) => {
      await takeOverAccount(transaction, { uid, email }, { googleId: sub });
      await transaction.updateTable('users').set({ emailVerified: true }).where('id', '=', uid).execute();
    });
    return undefined;
  }
  // Refuses accounts with a second factor. Google is only one factor, and only the sign-in with a password
  // asks for the second one.
  return linkable?.twoFactorEnabled ? 'segundo-fator' : undefined;
}
