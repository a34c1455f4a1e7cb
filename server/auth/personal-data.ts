import { epochMs } from '../database/database-time.ts';
import type { PersonalData } from '../database/personal-data.ts';
import { memberOf } from '../users/users.ts';

export const signInData: PersonalData = {
  tables: [
    'accounts',
    'sessions',
    'twoFactors',
    'verifications',
    'verificationLinks',
    'knownBrowsers',
    'passkeys',
    'emailChanges',
    'invitations',
  ],

  /** Does not export the open sessions: `listSessions` of auth.ts gets them from Better Auth. */
  async exportFor(database, { uid }) {
    const methods = await database
      .selectFrom('accounts')
      .select(['providerId', 'createdAt'])
      .where('userId', '=', uid)
      .execute();
    const sent = await database
      .selectFrom('invitations')
      .select(['member', 'createdAt', 'expiresAt'])
      .where('invitedBy', '=', uid)
      .execute();
    // Only the owner of the address may learn of an invitation to it.
    const received = await database
      .selectFrom('invitations')
      .innerJoin('users', 'users.email', 'invitations.email')
      .select(['invitations.member', 'invitations.createdAt', 'invitations.expiresAt'])
      .where('users.id', '=', uid)
      .where('users.emailVerified', '=', true)
      .execute();
    const emailChanges = await database
      .selectFrom('emailChanges')
      .select(['oldEmail', 'newEmail', 'requestedAt', 'changedAt', 'expiresAt'])
      .where('uid', '=', uid)
      .where('expiresAt', '>', Date.now())
      .orderBy('requestedAt')
      .execute();
    const passkeys = await database
      .selectFrom('passkeys')
      .select(['id', 'name', 'createdAt', 'lastUsedAt'])
      .where('uid', '=', uid)
      .orderBy('createdAt')
      .execute();
    return {
      passkeys,
      emailChanges,
      invitations: [
        ...sent.map((one) => ({ ...one, member: memberOf(one.member), sent: true })),
        ...received.map((one) => ({ ...one, member: memberOf(one.member), sent: false })),
      ],
      signInMethods: methods.map(({ providerId, createdAt }) => ({
        provider: providerId,
        since: epochMs(createdAt),
      })),
    };
  },

  async deleteFor(transaction, { uid, email }) {
    // When the user is deleted, foreign keys delete the rows of the other tables.
    await transaction.deleteFrom('verifications').where('value', '=', uid).execute();
    for (const table of ['verificationLinks', 'invitations'] as const)
      await transaction.deleteFrom(table).where('email', '=', email).execute();
  },
};
