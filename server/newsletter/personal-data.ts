import type { PersonalData } from '../database/personal-data.ts';

export const newsletterData: PersonalData<'newsletter'> = {
  tables: ['newsletterSubscribers'],

  async exportFor(database, { email }) {
    const subscription = await database
      .selectFrom('newsletterSubscribers')
      .select(['consentedAt', 'confirmedAt'])
      .where('email', '=', email)
      .executeTakeFirst();
    return { newsletter: subscription ?? false };
  },

  async deleteFor(transaction, { email }) {
    await transaction.deleteFrom('newsletterSubscribers').where('email', '=', email).execute();
  },
};
