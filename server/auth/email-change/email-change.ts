import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { foldForSearch } from '#contract/text.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { AppError } from '#server/http/errors.ts';
import type { LimitedMailer } from '#server/mail/limited-mailer.ts';
import { emailChangedMail, emailChangeMail, emailChangeNoticeMail } from '#server/mail/messages.ts';
import { lockUser } from '#server/users/users.ts';
import { hashOfToken } from '../hashed-tokens.ts';
import type { Session } from '../sessions/session.ts';
import { renewSession } from '../sessions/sessions.ts';
import { isKeptAddress, requireStillOpen, takeOverAccount } from '../sign-in-methods.ts';

const hour = 60 * 60_000;
const confirmMs = hour;
const takeBackMs = 72 * hour;

/**
 * Changes the email address of an account. The owner of the new address confirms it by a link, in a session
 * of the account. For 72 hours, the owner of the old address can take the change back by another link, which
 * also removes everything that could sign in to the account.
 */
export function createEmailChanges(context: AppContext, mailer: LimitedMailer) {
  const { database, databaseKind } = context;
  const { publicUrl } = context.environment;

  return {
    /**
     * Replaces the pending change of the account. The user must have given the proof (proof.ts).
     * @returns a function to call after the response, which sends the mails. A taken address gets another
     * mail instead of the link, so that the response does not tell that it has an account
     * @throws AppError `request/invalid` for the present address; `auth/unauthenticated`
     */
    async requestEmailChange(session: Session, email: string): Promise<() => Promise<void>> {
      const { uid, email: oldEmail } = session;
      const newEmail = email.toLowerCase();
      if (newEmail === oldEmail)
        throw new AppError('request/invalid', {
          issues: [{ path: 'email', message: 'Este já é o e-mail da sua conta.' }],
        });
      const token = randomBytes(32).toString('base64url');
      const requestedAt = Date.now();
      await database.transaction().execute(async (transaction) => {
        await requireStillOpen(transaction, databaseKind, session);
        await deletePending(transaction, uid);
        await transaction
          .insertInto('emailChanges')
          .values({
            ...{ id: randomUUID(), uid, oldEmail, newEmail, token: hashOfToken(token) },
            ...{ requestedAt, changedAt: null, expiresAt: requestedAt + confirmMs },
          })
          .execute();
      });
      return async () => {
        const owner = await findOwner(database, uid);
        if (owner?.emailVerified)
          await mailer.send('email-change-notice', emailChangeNoticeMail(owner, `${publicUrl}/account`));
        const link = (await isTaken(database, newEmail, uid))
          ? undefined
          : `${publicUrl}/email-novo#${token}`;
        await mailer.send('email-change', emailChangeMail(newEmail, link, `${publicUrl}/login`));
      };
    },

    async withdrawEmailChange({ uid }: Session): Promise<void> {
      await deletePending(database, uid);
    },

    /**
     * Changes the address, ends the other sessions, and gives this one a new token. First mails the link that
     * takes the change back, so that no change happens without it.
     * @returns the new address, and the session's cookie
     * @throws AppError `auth/invalid-link`; `auth/other-account` in a session of another account;
     * `server/unavailable` or `auth/too-many-attempts` when the old address cannot be told
     */
    async confirmEmailChange(token: string, session: Session): Promise<{ email: string; cookies: string[] }> {
      const { uid } = session;
      const change = await database
        .selectFrom('emailChanges')
        .select(['id', 'uid', 'newEmail'])
        .where('token', '=', hashOfToken(token))
        .where('changedAt', 'is', null)
        .where('expiresAt', '>', Date.now())
        .executeTakeFirst();
      const owner = await findOwner(database, uid);
      if (!change || !owner) throw new AppError('auth/invalid-link');
      if (change.uid !== uid) throw new AppError('auth/other-account');
      const { newEmail } = change;
      if (await isTaken(database, newEmail, uid)) throw new AppError('auth/invalid-link');
      // Concurrent requests mail the same link, so every link that arrives works.
      const takeBackToken = createHmac('sha256', context.authSecret)
        .update(`take back ${change.id}`)
        .digest('base64url');
      const mail = emailChangedMail(owner, `${publicUrl}/email-de-volta#${takeBackToken}`);
      if (owner.emailVerified && !(await mailer.send('email-changed', mail)))
        throw new AppError('auth/too-many-attempts');
      const cookie = await database.transaction().execute(async (transaction) => {
        await requireStillOpen(transaction, databaseKind, session);
        const changedAt = Date.now();
        const { numUpdatedRows } = await transaction
          .updateTable('emailChanges')
          .set({ token: hashOfToken(takeBackToken), changedAt, expiresAt: changedAt + takeBackMs })
          .where('id', '=', change.id)
          .where('token', '=', hashOfToken(token))
          .executeTakeFirst();
        if (numUpdatedRows === 0n || (await isTaken(transaction, newEmail, uid)))
          throw new AppError('auth/invalid-link');
        // The owner of an address that was never proved has no claim to the account.
        if (!owner.emailVerified)
          await transaction.deleteFrom('emailChanges').where('id', '=', change.id).execute();
        await transaction.deleteFrom('verifications').where('value', '=', uid).execute();
        await setEmail(transaction, uid, { from: owner.email, to: newEmail });
        return renewSession(context, transaction, session);
      });
      return { email: newEmail, cookies: [cookie] };
    },

    /**
     * Gives the account its old address again. Removes everything that could sign in, because a thief may
     * know the password or have added a passkey. The owner then sets a new password by a reset.
     * @throws AppError `auth/invalid-link`
     */
    async takeEmailBack(token: string): Promise<{ uid: string; email: string }> {
      return database.transaction().execute(async (transaction) => {
        const change = await transaction
          .selectFrom('emailChanges')
          .select(['id', 'uid', 'oldEmail', 'changedAt'])
          .where('token', '=', hashOfToken(token))
          .where('expiresAt', '>', Date.now())
          .executeTakeFirst();
        if (!change || change.changedAt === null) throw new AppError('auth/invalid-link');
        const { uid, oldEmail } = change;
        await lockUser(transaction, databaseKind, uid);
        // Also later changes: otherwise, their links could change the address again.
        const deleted = await transaction
          .deleteFrom('emailChanges')
          .where('uid', '=', uid)
          .where((row) => row.or([row('changedAt', 'is', null), row('changedAt', '>=', change.changedAt)]))
          .returning('id')
          .execute();
        const owner = await findOwner(transaction, uid);
        if (!owner || !deleted.some(({ id }) => id === change.id)) throw new AppError('auth/invalid-link');
        await takeOverAccount(transaction, { uid, email: owner.email });
        await setEmail(transaction, uid, { from: owner.email, to: oldEmail });
        return { uid, email: oldEmail };
      });
    },
  };
}

async function deletePending(database: Database, uid: string): Promise<void> {
  await database.deleteFrom('emailChanges').where('uid', '=', uid).where('changedAt', 'is', null).execute();
}

const findOwner = (database: Database, uid: string) =>
  database
    .selectFrom('users')
    .select(['displayName as name', 'email', 'emailVerified'])
    .where('id', '=', uid)
    .executeTakeFirst();

/** True if another account has the address, or can still take it back. */
async function isTaken(database: Database, email: string, uid: string): Promise<boolean> {
  const owner = await database.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  return owner !== undefined || isKeptAddress(database, email, uid);
}

async function setEmail(
  transaction: Database,
  uid: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await transaction.deleteFrom('verificationLinks').where('email', 'in', [from, to]).execute();
  const { displayName } = await transaction
    .selectFrom('users')
    .select('displayName')
    .where('id', '=', uid)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('users')
    .set({ email: to, emailVerified: true, searchKey: foldForSearch(`${displayName} ${to}`) })
    .where('id', '=', uid)
    .execute();
}
