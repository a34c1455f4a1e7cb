import { paths } from '#contract/paths.ts';
import { type Reminder, type ReminderChange, reminder } from '#contract/reminder.ts';
import { readJson, type Send } from './http.ts';

/** Creates the client of the signed-in user's reminder by e-mail. */
export function createReminderClient(send: Send) {
  return {
    async read(signal?: AbortSignal): Promise<Reminder> {
      return reminder.parse(await readJson(send(paths.documents.reminder, { signal })));
    },

    /**
     * Stores the times, and turns the reminder on or off.
     * @throws ClientError `request/invalid`, `documents/reminder-email-unverified`
     */
    async change(body: ReminderChange): Promise<Reminder> {
      return reminder.parse(await readJson(send(paths.documents.reminder, { method: 'PUT', body })));
    },

    /** @throws ClientError `documents/reminder-email-unverified`, `auth/too-many-attempts` */
    async sendTest(): Promise<void> {
      await send(paths.documents.reminderTest, { method: 'POST' });
    },
  };
}
