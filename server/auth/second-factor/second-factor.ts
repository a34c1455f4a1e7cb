import { createHmac } from 'node:crypto';
import type { SecondFactorSetUp } from '#contract/sign-in/second-factor.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { removeLostClinicians } from '#server/diary/sharing/clinicians.ts';
import { AppError } from '#server/http/errors.ts';
import type { CallBetterAuth } from '../call-better-auth.ts';
import { hashOfIdentifier } from '../hashed-tokens.ts';
import { findCredentialId } from '../passwords/password-changes.ts';
import { cookiePrefix, readSignedCookie } from '../sessions/cookies.ts';
import type { Session, WithCookies } from '../sessions/session.ts';
import { requireStillOpen } from '../sign-in-methods.ts';

/**
 * Creates the operations of the second factor. @param callBetterAuth calls Better Auth as for a user who has
 * given the proof (proof.ts), so that it accepts any password
 */
export function createSecondFactor(context: AppContext, callBetterAuth: CallBetterAuth) {
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
      check(callBetterAuth((api) => api.verifyTOTP({ body: { code }, headers, returnHeaders: true }))),
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
      return check(
        callBetterAuth((api) => api.verifyBackupCode({ body: { code }, headers, returnHeaders: true })),
      );
    },

    /**
     * The user must have given the proof (proof.ts).
     * @throws AppError `auth/forbidden` for an account without a password; `auth/unauthenticated`
     */
    async begin(headers: Headers, session: Session): Promise<SecondFactorSetUp> {
      // The second factor follows only a password.
      if (!(await findCredentialId(database, session))) throw new AppError('auth/forbidden');
      const issuer = await context.clinicName();
      const body = { password: 'proved', method: 'totp' as const, issuer };
      const { result } = await callBetterAuth((api) =>
        api.enableTwoFactor({ body, headers, returnHeaders: true }),
      );
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

    /** The user must have given the proof (proof.ts). @throws AppError `auth/unauthenticated` */
    async end(session: Session): Promise<void> {
      await whileOpen(session, async (transaction) => {
        await transaction.deleteFrom('twoFactors').where('userId', '=', session.uid).execute();
        await transaction
          .updateTable('users')
          .set({ twoFactorEnabled: false })
          .where('id', '=', session.uid)
          .execute();
        await removeLostClinicians(transaction, session.uid);
      });
    },
  };

  /** Runs `work` in a transaction, if the session has not ended while the proof was checked. */
  async function whileOpen(session: Session, work: (transaction: Database) => Promise<void>): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await requireStillOpen(transaction, context.databaseKind, session);
      await work(transaction);
    });
  }
}

/** Creates a function that finds the user who has given the password, but not yet the second factor. */
function createPendingSignIns({ database, authSecret, environment }: AppContext) {
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

/** Longer than any code is valid: 90 s, which are its own 30 s and the 30 s before and after them. */
const keptMs = 3 * 60_000;

/**
 * Makes each code of an authenticator valid once for each account (RFC 6238, section 5.2). Better Auth itself
 * would accept a code again until it expires.
 */
function createUsedCodes({ database, authSecret }: Pick<AppContext, 'database' | 'authSecret'>) {
  return {
    /**
     * Marks the code as used, then runs `work`. If `work` fails, the code becomes unused again.
     * @throws AppError `auth/wrong-code` when the code was used before
     */
    async runOnce<Result>(uid: string, code: string, work: () => Promise<Result>): Promise<Result> {
      const digest = createHmac('sha256', authSecret).update(`used code ${uid} ${code}`).digest('base64url');
      const id = `code ${digest}`;
      // The code is marked before it is checked, so only one of two concurrent requests continues.
      const marked = await database
        .insertInto('spentProofs')
        .values({ id, expiresAt: Date.now() + keptMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!marked) throw new AppError('auth/wrong-code');
      try {
        return await work();
      } catch (error) {
        await database.deleteFrom('spentProofs').where('id', '=', id).execute();
        throw error;
      }
    },
  };
}

/** True if the secret decrypts a value of the table `twoFactors`. */
async function canDecrypt(value: string, secret: string): Promise<boolean> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  return symmetricDecrypt({ key: secret, data: value }).then(
    () => true,
    () => false,
  );
}

/** Returns the email addresses of the users whose second factor was encrypted with another secret. */
export async function findUnreadableSecondFactors(database: Database, secret: string): Promise<string[]> {
  const rows = await database
    .selectFrom('twoFactors')
    .innerJoin('users', 'users.id', 'twoFactors.userId')
    .select(['twoFactors.secret', 'users.email'])
    .where('users.twoFactorEnabled', '=', true)
    .execute();
  const unreadable: string[] = [];
  for (const row of rows) if (!(await canDecrypt(row.secret, secret))) unreadable.push(row.email);
  return unreadable;
}
