import type { Database } from '../database/connect.ts';
import type { PersonalData } from '../database/personal-data.ts';
import { deleteSubscription } from './newsletter.ts';

/**
 * Finds the subscription of a user's email address. A stranger can sign up with the address of a subscriber,
 * so the address must be verified.
 */
const subscriptionOf = (database: Database, uid: string) =>
  database
    .selectFrom('newsletterSubscribers')
    .innerJoin('users', 'users.email', 'newsletterSubscribers.email')
    .where('users.id', '=', uid)
    .where('emailVerified', '=', true);

export const newsletterData: PersonalData = {
  tables: ['newsletterSubscribers'],

  async exportFor(database, { uid }) {
    const subscription = await subscriptionOf(database, uid)
      .select(['consentedAt', 'confirmedAt'])
      .executeTakeFirst();
    return { newsletter: subscription ?? false };
  },

  async deleteFor(transaction, { uid }) {
    const subscription = await subscriptionOf(transaction, uid)
      .select('newsletterSubscribers.id')
      .executeTakeFirst();
    // `deleteSubscription` also notes the deletion, because a backup can contain the subscription without the
    // account.
    if (subscription) await deleteSubscription(transaction, subscription.id);
  },
};
