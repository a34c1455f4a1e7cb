import { type Reminder, type ReminderChange, type ReminderTimes, reminderTimes } from '#contract/reminder.ts';
import type { AppContext } from '../context.ts';
import type { Database, Tables } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { createSignedTokens } from '../http/tokens.ts';
import { neutralSender } from '../mail/mailer.ts';
import { lockUser } from '../users/users.ts';
import { nextReminder } from './next-time.ts';

type ReminderContext = Pick<AppContext, 'database' | 'databaseKind' | 'environment'>;
type Row = Tables['reminders'];

export const timesOf = ({ weekdays, hour, zone }: Pick<Row, 'weekdays' | 'hour' | 'zone'>): ReminderTimes =>
  reminderTimes.parse({ weekdays: JSON.parse(weekdays), hour, zone });

/** Reads the user's reminder, and from whom and to whom its mails go. */
export async function readReminder(
  { database, environment }: ReminderContext,
  uid: string,
): Promise<Reminder> {
  const row = await database.selectFrom('reminders').selectAll().where('uid', '=', uid).executeTakeFirst();
  const { email, emailVerified } = await addressOf(database, uid);
  const [nextAt, sentAt] = [row?.nextAt ?? null, row?.sentAt ?? null];
  return {
    ...{ times: row ? timesOf(row) : null, on: nextAt !== null, stoppedBy: row?.stoppedBy ?? null },
    ...{ nextAt: nextAt && Number(nextAt), sentAt: sentAt && Number(sentAt) },
    ...{ sender: neutralSender(environment), email, emailVerified },
  };
}

/** Reads the user's email address. */
export async function addressOf(
  database: Database,
  uid: string,
): Promise<{ email: string; emailVerified: boolean }> {
  const { email, emailVerified } = await database
    .selectFrom('users')
    .select(['email', 'emailVerified'])
    .where('id', '=', uid)
    .executeTakeFirstOrThrow();
  return { email, emailVerified: Boolean(emailVerified) };
}

/**
 * Stores when the reminder leaves, and turns it on or off. It still leaves once a day at most.
 * @throws AppError `request/invalid` for an unknown time zone; `documents/reminder-email-unverified`
 */
export async function changeReminder(
  { database, databaseKind }: ReminderContext,
  uid: string,
  { on, ...times }: ReminderChange,
  now = Date.now(),
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    const stored = await transaction
      .selectFrom('reminders')
      .select('claimedAt')
      .where('uid', '=', uid)
      .$if(databaseKind === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
    const nextAt = planned(times, now, Number(stored?.claimedAt ?? 0));
    if (on && !(await addressOf(transaction, uid)).emailVerified)
      throw new AppError('documents/reminder-email-unverified');
    const { weekdays, hour, zone } = times;
    const changed = {
      ...{ weekdays: JSON.stringify(weekdays.toSorted()), hour, zone },
      ...{ nextAt: on ? nextAt : null, notBefore: 0, stoppedBy: null },
    };
    await transaction
      .insertInto('reminders')
      .values({ uid, claimedAt: 0, sentAt: null, ...changed })
      .onConflict((conflict) => conflict.column('uid').doUpdateSet(changed))
      .execute();
  });
}

/** @throws AppError `request/invalid` for an unknown time zone */
function planned(times: ReminderTimes, now: number, lastAt: number): number {
  try {
    return nextReminder(times, now, lastAt);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'Este fuso horário não existe.';
    throw new AppError('request/invalid', { message, issues: [{ path: 'zone', message }] });
  }
}

/** Turns the reminder off. It does not fail if there is none, so it does not reveal whether there is one. */
export async function turnOff(database: Database, uid: string): Promise<void> {
  await database
    .updateTable('reminders')
    .set({ nextAt: null, stoppedBy: null })
    .where('uid', '=', uid)
    .execute();
}

/**
 * Turns off all reminders, because a restored backup does not know which of them the users have turned off
 * since, and which of today's mails have left.
 */
export async function stopRestoredReminders(transaction: Database): Promise<void> {
  await transaction
    .updateTable('reminders')
    .set({ nextAt: null, stoppedBy: 'restored' })
    .where('nextAt', 'is not', null)
    .execute();
}

/** The tokens of the links that turn a reminder off. They contain the user's id. */
export const createLeaveTokens = (authSecret: string) =>
  createSignedTokens<string>(authSecret, 'reminder leave');
