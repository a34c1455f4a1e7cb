import type { GoogleProblem } from '#contract/auth-paths.ts';
import { displayName, email as emailSchema } from '#contract/credentials.ts';
import { fileUrl } from '#contract/file-url.ts';
import type { AppContext } from '#server/context.ts';
import { isKeptAddress, takeOverAccount } from '../sign-in-methods.ts';

/** The claims of an ID token that this server uses. */
export type GoogleProfile = {
  sub: string;
  email: string;
  emailVerified: boolean;
  name?: string;
  picture?: string;
};

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const subject = /^[!-~]{1,255}$/;
const pictureSchema = fileUrl('/images/');

/**
 * Reads the claims of an ID token whose signature is already verified. Leaves out a name or a picture that
 * the forms of this site would refuse.
 * @returns undefined when the token has no subject or no email address that a form would accept
 */
export function readProfile(idToken: string): GoogleProfile | undefined {
  const [, payload = ''] = idToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const { sub, email_verified: verified } = claims;
  const email = emailSchema.safeParse(claims.email).data?.toLowerCase();
  if (typeof sub !== 'string' || !subject.test(sub) || email === undefined) return undefined;
  const name = displayName.safeParse(claims.name).data;
  const picture = pictureSchema.safeParse(claims.picture).data;
  return {
    sub,
    email,
    emailVerified: verified === true || verified === 'true',
    ...(name !== undefined && { name }),
    ...(picture !== undefined && { picture }),
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
  // The account that had this address can still take it back.
  if (!linkable && (await isKeptAddress(database, email))) return 'outra-conta';
  // Refuses accounts with a second factor. Google is only one factor, and only the sign-in with a password
  // asks for the second one.
  return linkable?.twoFactorEnabled ? 'segundo-fator' : undefined;
}
