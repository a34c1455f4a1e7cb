import type { SecondFactorSetUp } from '#contract/second-factor.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { AppError } from '#server/http/errors.ts';
import { type Ask, asWrongPassword } from '../ask.ts';
import { requireStillOpen } from '../first-proof.ts';
import { createPendingSignIns } from '../sessions/pending-sign-in.ts';
import type { Session, WithCookies } from '../sessions/session.ts';
import { canDecrypt } from './readable.ts';
import { createUsedCodes } from './used-codes.ts';

/** Creates the operations of the second factor. @param ask calls Better Auth */
export function createSecondFactor(context: AppContext, ask: Ask) {
  const { database } = context;
  const findPendingSignIn = createPendingSignIns(context);
  const usedCodes = createUsedCodes(context);

  async function check(checked: Promise<WithCookies<unknown>>): Promise<WithCookies<unknown>> {
    return checked.catch((error: unknown) => {
      throw error instanceof AppError && error.code !== 'server/unavailable'
        ? new AppError('auth/wrong-code', { cause: error })
        : error;
    });
  }

  /**
   * After a restore or a change of the secret, the stored second factor can be encrypted with another secret.
   * @throws AppError `auth/second-factor-unreadable`
   */
  async function requireReadable(uid: string): Promise<void> {
    const row = await context.database
      .selectFrom('twoFactors')
      .select('secret')
      .where('userId', '=', uid)
      .executeTakeFirst();
    if (row && !(await canDecrypt(row.secret, context.authSecret)))
      throw new AppError('auth/second-factor-unreadable');
  }

  async function checkAuthenticator(
    code: string,
    uid: string,
    headers: Headers,
  ): Promise<WithCookies<unknown>> {
    return usedCodes.runOnce(uid, code, () =>
      check(ask((api) => api.verifyTOTP({ body: { code }, headers, returnHeaders: true }))),
    );
  }

  return {
    /** Checks the code of a pending sign-in, and begins its session. @throws AppError `auth/wrong-code` */
    async finishSignIn(code: string, headers: Headers): Promise<WithCookies<unknown>> {
      const uid = await findPendingSignIn(headers.get('cookie') ?? '');
      if (!uid) throw new AppError('auth/wrong-code');
      await requireReadable(uid);
      // Six digits are a code of the authenticator; anything else is a recovery code.
      if (/^\d{6}$/.test(code)) return checkAuthenticator(code, uid, headers);
      return check(ask((api) => api.verifyBackupCode({ body: { code }, headers, returnHeaders: true })));
    },

    /** @throws AppError `auth/wrong-password`, `auth/unauthenticated` */
    async begin(password: string, headers: Headers, session: Session): Promise<SecondFactorSetUp> {
      const body = { password, method: 'totp' as const, issuer: await context.clinicName() };
      const { result } = await ask((api) =>
        api.enableTwoFactor({ body, headers, returnHeaders: true }),
      ).catch(asWrongPassword);
      if (result.method !== 'totp') throw new Error('The second factor is not an authenticator.');
      await whileOpen(session, async () => {}).catch(async (error: unknown) => {
        await database
          .deleteFrom('twoFactors')
          .where('userId', '=', session.uid)
          .where('verified', '=', false)
          .execute();
        throw error;
      });
      // Authenticator apps show a `+` of the URI literally, not as a space.
      return { uri: result.totpURI.replaceAll('+', '%20'), recoveryCodes: result.backupCodes };
    },

    /**
     * Checks the code of a new authenticator of `uid`. A right code enables the second factor.
     * @throws AppError `auth/wrong-code`
     */
    confirm: checkAuthenticator,

    /** @throws AppError `auth/wrong-password`, `auth/unauthenticated` */
    async end(password: string, headers: Headers, session: Session): Promise<void> {
      await ask((api) => api.verifyPassword({ body: { password }, headers, returnHeaders: true })).catch(
        asWrongPassword,
      );
      await whileOpen(session, async (transaction) => {
        await transaction.deleteFrom('twoFactors').where('userId', '=', session.uid).execute();
        await transaction
          .updateTable('users')
          .set({ twoFactorEnabled: false })
          .where('id', '=', session.uid)
          .execute();
      });
    },
  };

  /** Runs `work` in a transaction, if the session has not ended while the password was checked. */
  async function whileOpen(session: Session, work: (transaction: Database) => Promise<void>): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await requireStillOpen(transaction, context.databaseKind, session);
      await work(transaction);
    });
  }
}
