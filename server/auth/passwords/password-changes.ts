import type { PasswordChange } from '#contract/account.ts';
import type { PasswordReset } from '#contract/credentials.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { epochMs } from '#server/database/database-time.ts';
import { AppError } from '#server/http/errors.ts';
import { type CallBetterAuth, checkPassword } from '../call-better-auth.ts';
import { hashOfIdentifier } from '../hashed-tokens.ts';
import type { WithCookies } from '../sessions/session.ts';
import { renewSession, type Sessions } from '../sessions/sessions.ts';
import {
  addImportedSignIns,
  endAccess,
  removePassword,
  requireStillOpen,
  takeOverAccount,
} from '../sign-in-methods.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { refuseGuessable } from './password-rules.ts';

/** Creates the operations that change an account's password, or ask for it again. */
export function createPasswordChanges(
  context: AppContext,
  {
    callBetterAuth,
    passwords,
    findSession,
    mailSignUpAgain,
  }: {
    callBetterAuth: CallBetterAuth;
    passwords: PasswordHashing;
    findSession: Sessions['findSession'];
    mailSignUpAgain: (email: string, cookie: string | undefined) => Promise<void>;
  },
) {
  const { database } = context;

  return {
    /**
     * Mails a link if the email address has an account, and invalidates the account's earlier links. For a
     * sign-up that waits for its proof, it mails the link of the sign-up again.
     */
    async requestPasswordReset(
      email: string,
      { cookie, headers }: { cookie: string | undefined; headers: Headers },
    ): Promise<void> {
      await callBetterAuth((api) =>
        api.requestPasswordReset({ body: { email }, headers, returnHeaders: true }),
      );
      await mailSignUpAgain(email, cookie);
    },

    /**
     * Sets the password, ends every session of the account, and marks its email address as verified, because
     * the link was mailed to it. If this is the first proof of the address, everything else that could sign
     * in to the account is removed.
     * @throws AppError `auth/invalid-link`, `server/unavailable`; `request/invalid` for a password that is
     * easy to guess
     */
    async resetPassword({ token, password }: PasswordReset): Promise<void> {
      const identifier = hashOfIdentifier(`reset-password:${token}`);
      const owner = await database
        .selectFrom('verifications')
        .innerJoin('users', 'users.id', 'verifications.value')
        .select(['users.id as uid', 'users.displayName as name', 'users.email', 'users.emailVerified'])
        .select('verifications.expiresAt')
        .where('identifier', '=', identifier)
        .executeTakeFirst();
      if (!owner || epochMs(owner.expiresAt) <= Date.now()) throw new AppError('auth/invalid-link');
      const { uid } = owner;
      await refuseGuessable(password, owner);
      const hash = await passwords.handle({ priority: 'known' }, () => passwords.hash(password));
      await database.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('verifications')
          .where('identifier', '=', identifier)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw new AppError('auth/invalid-link');
        if (owner.emailVerified) await endAccess(transaction, owner);
        else await takeOverAccount(transaction, owner);
        await removePassword(transaction, uid);
        await addImportedSignIns(transaction, [
          { uid, createdAt: Date.now(), password: hash, googleId: null },
        ]);
        await transaction.updateTable('users').set({ emailVerified: true }).where('id', '=', uid).execute();
      });
    },

    /**
     * Sets a new password, ends the other sessions of the account, and gives this one a new token.
     * @throws AppError `auth/wrong-password`, `auth/unauthenticated`; `request/invalid`, if guessable
     */
    async changePassword({ current, next }: PasswordChange, headers: Headers): Promise<WithCookies<unknown>> {
      const { result: session } = await findSession(headers, false);
      if (!session) throw new AppError('auth/unauthenticated');
      const { displayName } = await database
        .selectFrom('users')
        .select('displayName')
        .where('id', '=', session.uid)
        .executeTakeFirstOrThrow();
      await refuseGuessable(next, { name: displayName, email: session.email }, 'next');
      const credentialId = await findCredentialId(database, session);
      const hash = await passwords.handle({ priority: 'known' }, async () => {
        await checkPassword(callBetterAuth, current, headers);
        return passwords.hash(next);
      });
      const cookie = await database.transaction().execute(async (transaction) => {
        await requireStillOpen(transaction, context.databaseKind, session);
        const { numUpdatedRows } = await transaction
          .updateTable('accounts')
          .set({ password: hash })
          .where('id', '=', credentialId ?? '')
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw new AppError('auth/unauthenticated');
        return renewSession(context, transaction, session);
      });
      return { result: undefined, cookies: [cookie] };
    },
  };
}

/**
 * Finds the row of the account's password. A proof of the email address and a reset replace this row. So if
 * it changes while a password is checked, the password is no longer valid.
 */
export async function findCredentialId(
  database: Database,
  user: { uid: string } | { email: string },
): Promise<string | undefined> {
  const query = database
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.userId')
    .select('accounts.id')
    .where('providerId', '=', 'credential');
  const row = await ('uid' in user
    ? query.where('users.id', '=', user.uid)
    : query.where('users.email', '=', user.email.toLowerCase())
  ).executeTakeFirst();
  return row?.id;
}
