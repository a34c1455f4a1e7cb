import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Database, DatabaseKind } from './connect.ts';

/** How long a deleted activity can be restored. */
export const deletedActivitiesStayMs = 24 * 60 * 60_000;
/** How long the page of an issue names who did not get it, as the privacy page promises. */
const deliveriesStayMs = limits.deliveriesMaxDays * 24 * 60 * 60_000;
const unconfirmedSubscriptionsStayMs = 48 * 60 * 60_000;
/** As long as the cookie of a known browser. */
const knownBrowsersStayMs = 365 * 24 * 60 * 60_000;
/**
 * The largest difference between the clocks of two instances. A proof is deleted only after it has expired
 * for every instance.
 */
const clockDifferenceMs = 5 * 60_000;

/**
 * Deletes expired rows: sessions, links, invitations, sign-ups without a proof, known browsers, rate limit
 * attempts, spent proofs, old results of the newsletter's mails, subscriptions that were not confirmed within
 * two days, and activities that were soft-deleted a day ago. On PostgreSQL, it replaces the rows of
 * `userTally` with one row that holds their sum.
 */
export async function cleanUp(database: Database, kind: DatabaseKind, now = Date.now()): Promise<void> {
  await database.deleteFrom('attempts').where('endsAt', '<=', now).execute();
  for (const table of ['verificationLinks', 'invitations', 'emailChanges'] as const)
    await database.deleteFrom(table).where('expiresAt', '<=', now).execute();
  await database
    .deleteFrom('knownBrowsers')
    .where('signedInAt', '<=', now - knownBrowsersStayMs)
    .execute();
  await database
    .deleteFrom('spentProofs')
    .where('expiresAt', '<=', now - clockDifferenceMs)
    .execute();
  await database
    .deleteFrom('deletedActivities')
    .where('deletedAt', '<=', now - deletedActivitiesStayMs)
    .execute();
  await database
    .deleteFrom('newsletterDeliveries')
    .where('issueId', 'in', (row) =>
      row
        .selectFrom('newsletterIssues')
        .select('id')
        .where('state', '=', 'sent')
        .where('finishedAt', '<=', now - deliveriesStayMs),
    )
    .execute();
  await database
    .deleteFrom('newsletterSubscribers')
    .where('confirmedAt', 'is', null)
    .where('mailedAt', '<=', now - unconfirmedSubscriptionsStayMs)
    .execute();
  // Better Auth's times are text in SQLite and timestamps in PostgreSQL.
  const time = kind === 'sqlite' ? new Date(now).toISOString() : new Date(now);
  for (const table of ['sessions', 'verifications'] as const) {
    await sql`delete from ${sql.table(table)} where ${sql.ref('expiresAt')} <= ${time}`.execute(database);
  }
  if (kind === 'postgres')
    await sql`with folded as (delete from ${sql.table('userTally')} returning change)
      insert into ${sql.table('userTally')} (change) select coalesce(sum(change), 0) from folded`.execute(
      database,
    );
}
