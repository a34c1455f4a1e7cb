import type { PersonalData } from '../database/personal-data.ts';
import { timesOf } from './reminders.ts';

/** Foreign keys delete the reminder of the account. */
export const reminderData: PersonalData = {
  tables: ['reminders'],

  async exportFor(database, { uid }) {
    const row = await database.selectFrom('reminders').selectAll().where('uid', '=', uid).executeTakeFirst();
    if (!row) return { reminder: false };
    const sentAt = row.sentAt === null ? null : Number(row.sentAt);
    return { reminder: { ...timesOf(row), on: row.nextAt !== null, sentAt, stoppedBy: row.stoppedBy } };
  },
};
