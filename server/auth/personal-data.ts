import { epochMs } from '../database/database-time.ts';
import type { PersonalData } from '../database/personal-data.ts';

export const signInData: PersonalData = {
  tables: ['accounts', 'sessions', 'twoFactors', 'verifications', 'verificationLinks', 'knownBrowsers'],

  /** Does not export the open sessions: `listSessions` of auth.ts gets them from Better Auth. */
  async exportFor(database, { uid }) {
    const methods = await database
      .selectFrom('accounts')
      .select(['providerId', 'createdAt'])
      .where('userId', '=', uid)
      .execute();
    return {
      signInMethods: methods.map(({ providerId, createdAt }) => ({
        provider: providerId,
        since: epochMs(createdAt),
      })),
    };
  },

  async deleteFor(transaction, { uid, email }) {
    // When the user is deleted, foreign keys delete the rows of the other tables.
    await transaction.deleteFrom('verifications').where('value', '=', uid).execute();
    await transaction.deleteFrom('verificationLinks').where('email', '=', email).execute();
  },
};
