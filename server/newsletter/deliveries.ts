import type { Database, DatabaseKind, Tables } from '../database/connect.ts';

/*
 * The queue of the newsletter's mails: a row for each recipient who has not got the issue. A mail is marked
 * before it is sent, so nobody gets two.
 */

type Row = Tables['newsletterIssues'];

/** Longer than a mail takes: connecting, and each command of SMTP, have shorter time limits. */
const leaseMs = 3 * 60_000;

/** The mail of an issue to one subscriber. The caller has a lease, and must report what happens to it. */
export type Delivery = { issueId: string; subscriberId: string; email: string; attempts: number };

/**
 * Finds the issue to send next. Marks mails as unsure whose lease has ended: the process that sent them was
 * killed. Marks issues as sent that have nothing left to send.
 */
export async function findIssueToSend(database: Database, now = Date.now()): Promise<Row | undefined> {
  const begun = await database
    .selectFrom('newsletterIssues')
    .select('id')
    .where('state', 'in', ['sending', 'paused'])
    .limit(1)
    .executeTakeFirst();
  if (!begun) return undefined;
  await database
    .updateTable('newsletterDeliveries')
    .set({ state: 'unsure' })
    .where('state', '=', 'sending')
    .where('heldUntil', '<', now)
    .execute();
  await database
    .updateTable('newsletterIssues')
    .set({ state: 'sent', finishedAt: now, problem: null })
    .where('state', '=', 'sending')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('newsletterDeliveries')
            .select('issueId')
            .whereRef('issueId', '=', 'newsletterIssues.id')
            .where('newsletterDeliveries.state', 'in', ['waiting', 'sending']),
        ),
      ),
    )
    .execute();
  return database
    .selectFrom('newsletterIssues')
    .selectAll()
    .where('state', '=', 'sending')
    .where('notBefore', '<=', now)
    .orderBy('startedAt')
    .executeTakeFirst();
}

/**
 * Claims the next mail of an issue: marks it as being sent, under a lease. Several servers can claim at once.
 * @returns undefined if nothing is due, or if the issue is no longer being sent
 */
export async function claimDelivery(
  database: Database,
  kind: DatabaseKind,
  issueId: string,
  now = Date.now(),
): Promise<Delivery | undefined> {
  const claimed = await database
    .updateTable('newsletterDeliveries')
    .set({ state: 'sending', heldUntil: now + leaseMs })
    .where('issueId', '=', issueId)
    .where('subscriberId', '=', (row) =>
      row
        .selectFrom('newsletterDeliveries as next')
        .innerJoin('newsletterIssues as issue', 'issue.id', 'next.issueId')
        .select('next.subscriberId')
        .where('next.issueId', '=', issueId)
        .where('next.state', '=', 'waiting')
        .where('next.notBefore', '<=', now)
        .where('issue.state', '=', 'sending')
        .where('issue.notBefore', '<=', now)
        .orderBy('next.notBefore')
        .limit(1)
        .$if(kind === 'postgres', (query) => query.forUpdate('next').skipLocked()),
    )
    .where('state', '=', 'waiting')
    .returning(['issueId', 'subscriberId', 'attempts'])
    .executeTakeFirst();
  if (!claimed) return undefined;
  // The subscription is checked now. If it has ended, the row of the delivery is gone, too.
  const subscriber = await database
    .selectFrom('newsletterSubscribers')
    .select('email')
    .where('id', '=', claimed.subscriberId)
    .executeTakeFirst();
  return subscriber && { ...claimed, email: subscriber.email };
}

const isOne = ({ issueId, subscriberId }: Delivery) => ({ issueId, subscriberId });

/** Stores that a mail has arrived: counts it, and deletes its row. */
export async function noteSent(database: Database, delivery: Delivery): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('newsletterDeliveries')
      .where((row) => row.and(isOne(delivery)))
      .execute();
    await transaction
      .updateTable('newsletterIssues')
      .set((row) => ({ sent: row('sent', '+', 1) }))
      .where('id', '=', delivery.issueId)
      .execute();
  });
}

/** Stores that a mail did not arrive, or that this is unknown. */
export async function noteFailed(
  database: Database,
  delivery: Delivery,
  next: { state: 'refused' | 'unsure' } | { state: 'waiting'; notBefore: number; attempts: number },
): Promise<void> {
  await database
    .updateTable('newsletterDeliveries')
    .set(next)
    .where((row) => row.and(isOne(delivery)))
    .where('state', '=', 'sending')
    .execute();
}

/** Lets an issue wait until a time, with the reason. */
export async function postponeIssue(
  database: Database,
  id: string,
  { problem, notBefore }: { problem: string; notBefore: number },
): Promise<void> {
  await database
    .updateTable('newsletterIssues')
    .set({ problem, notBefore })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute();
}

/** Removes the reason why an issue waited, unless mails of it still wait after a 4xx response. */
export async function clearProblem(database: Database, id: string): Promise<void> {
  await database
    .updateTable('newsletterIssues')
    .set({ problem: null })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('problem', 'is not', null)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('newsletterDeliveries')
            .select('issueId')
            .whereRef('issueId', '=', 'newsletterIssues.id')
            .where('newsletterDeliveries.state', '=', 'waiting')
            .where('attempts', '>', 0),
        ),
      ),
    )
    .execute();
}
