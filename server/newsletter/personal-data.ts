import type { PersonalData } from '../database/personal-data.ts';
import { deleteSubscription } from './newsletter.ts';

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
    const subscription = await transaction
      .selectFrom('newsletterSubscribers')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    // `deleteSubscription` also notes the deletion, because a backup can contain the subscription without the
    // account.
    if (subscription) await deleteSubscription(transaction, subscription.id);
  },
};
