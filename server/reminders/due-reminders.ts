import { dayInBrasilia } from '#contract/calendar.ts';
import { clockOf } from '#contract/site/clock.ts';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { hasOpenWork } from '../diary/week/week.ts';
import { nextReminder } from './next-time.ts';
import { timesOf } from './reminders.ts';

/*
 * The queue of the reminders. A server marks a mail before it sends it, and plans the next one in the same
 * transaction: so nobody gets two, whatever stops the server.
 */

const hourMs = 60 * 60_000;
const lateMs = 3 * hourMs;
const unvisitedMs = 28 * 24 * hourMs;
const retryMs = 5 * 60_000;

/** A reminder whose time has come. `mail` is undefined if none is sent this time. */
export type DueReminder = {
  uid: string;
  email: string;
  mail: 'reminder' | 'stopped' | undefined;
  before: { nextAt: number; claimedAt: number };
  claimed: { nextAt: number | null; claimedAt: number; stoppedBy: 'unvisited' | null };
};

/**
 * Takes the next due reminder: plans the next time, and marks the mail as sent if there is one to send.
 * Several servers can take reminders at once.
 * @returns undefined if no reminder is due
 */
export async function takeDueReminder(
  { database, databaseKind }: Pick<AppContext, 'database' | 'databaseKind'>,
  now = Date.now(),
): Promise<DueReminder | undefined> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('reminders')
      .innerJoin('users', 'users.id', 'reminders.uid')
      .selectAll('reminders')
      .select(['email', 'emailVerified', 'lastSeenOn'])
      .where('nextAt', '<=', now)
      .where('notBefore', '<=', now)
      // Mails that were refused wait for those that were not tried yet.
      .orderBy('notBefore')
      .orderBy('nextAt')
      .limit(1)
      .$if(databaseKind === 'postgres', (query) => query.forUpdate('reminders').skipLocked())
      .executeTakeFirst();
    if (!row || row.nextAt === null) return undefined;
    const { uid, email } = row;
    const times = timesOf(row);
    const before = { nextAt: Number(row.nextAt), claimedAt: Number(row.claimedAt) };
    const today = clockOf(times.zone, new Date(now)).date;
    // After midnight, the mail would be about another day.
    const isLate =
      now - before.nextAt > lateMs || today !== clockOf(times.zone, new Date(before.nextAt)).date;
    const isVisited = row.lastSeenOn !== null && row.lastSeenOn >= dayInBrasilia(now - unvisitedMs);
    let mail: DueReminder['mail'];
    if (!isLate && row.emailVerified) {
      if (!isVisited) mail = 'stopped';
      else if (await hasOpenWork(transaction, uid, today)) mail = 'reminder';
    }
    const claimedAt = mail ? now : before.claimedAt;
    const claimed: DueReminder['claimed'] =
      mail === 'stopped'
        ? { nextAt: null, claimedAt, stoppedBy: 'unvisited' }
        : { nextAt: nextReminder(times, now, claimedAt), claimedAt, stoppedBy: null };
    await transaction
      .updateTable('reminders')
      .set({ ...claimed, notBefore: 0 })
      .where('uid', '=', uid)
      .execute();
    return { uid, email, mail, before, claimed };
  });
}

/** Stores that the mail server has accepted a reminder. */
export async function noteSent(database: Database, { uid, claimed }: DueReminder): Promise<void> {
  await database.updateTable('reminders').set({ sentAt: claimed.claimedAt }).where('uid', '=', uid).execute();
}

/** Lets the mail be sent in some minutes, unless the user has changed the reminder meanwhile. */
export async function putBack(database: Database, due: DueReminder, now = Date.now()): Promise<void> {
  await asClaimed(database, due)
    .set({ ...due.before, notBefore: now + retryMs, stoppedBy: null })
    .execute();
}

/** Turns the reminder off because its email address refuses mails. */
export async function stopRefused(database: Database, due: DueReminder): Promise<void> {
  await asClaimed(database, due).set({ nextAt: null, stoppedBy: 'refused' }).execute();
}

/** Changes the reminder only if the user has not changed it since it was taken. */
const asClaimed = (database: Database, { uid, claimed }: DueReminder) =>
  database
    .updateTable('reminders')
    .where('uid', '=', uid)
    .where('nextAt', 'is not distinct from', claimed.nextAt)
    .where('claimedAt', '=', claimed.claimedAt)
    .where('stoppedBy', 'is not distinct from', claimed.stoppedBy);
