import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Issue, IssueDetails, IssueInput, IssueList, PublicIssue } from '#contract/newsletter.ts';
import { clockOf } from '#contract/site/clock.ts';
import type { Database, Tables } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { noteAccess } from '../users/access-log.ts';

type Row = Tables['newsletterIssues'];

/** Reads all issues, newest first. */
export async function listIssues(database: Database): Promise<IssueList> {
  const rows = await database
    .selectFrom('newsletterIssues')
    .selectAll()
    .orderBy('updatedAt', 'desc')
    .orderBy('id')
    .execute();
  const issues = [];
  for (const row of rows) {
    const { text: _, ...issue } = await issueOf(database, row);
    issues.push(issue);
  }
  return { issues, subscribers: await countSubscribers(database) };
}

/** @throws AppError `documents/not-found` */
export async function readIssue(database: Database, id: string): Promise<IssueDetails> {
  return {
    ...(await issueOf(database, await findRow(database, id))),
    ...{ refusedAddresses: [], unsureAddresses: [] },
    subscribers: await countSubscribers(database),
  };
}

/**
 * Like `readIssue`, with the addresses that did not get the issue. For each address with an account, the
 * access log records the read.
 */
export async function readIssueWithAddresses(
  database: Database,
  { id, actorId }: { id: string; actorId: string },
): Promise<IssueDetails> {
  const issue = await readIssue(database, id);
  const subjectIds: string[] = [];
  const addressesIn = async (state: 'refused' | 'unsure') => {
    const rows = await database
      .selectFrom('newsletterDeliveries as deliveries')
      .innerJoin('newsletterSubscribers as subscribers', 'subscribers.id', 'deliveries.subscriberId')
      .leftJoin('users', 'users.email', 'subscribers.email')
      .select(['subscribers.email', 'users.id as uid'])
      .where('issueId', '=', id)
      .where('state', '=', state)
      .orderBy('subscribers.email')
      .limit(limits.namedRecipients)
      .execute();
    subjectIds.push(...rows.flatMap(({ uid }) => uid ?? []));
    return rows.map(({ email }) => email);
  };
  const refusedAddresses = await addressesIn('refused');
  const unsureAddresses = await addressesIn('unsure');
  await noteAccess(database, { actorId, subjectIds, action: 'read', what: 'newsletter' });
  return { ...issue, refusedAddresses, unsureAddresses };
}

/**
 * Reads an issue for its public page.
 * @param timeZone the clinic's
 * @throws AppError `documents/not-found` for an unknown issue and for a draft
 */
export async function readPublicIssue(
  database: Database,
  timeZone: string,
  id: string,
): Promise<PublicIssue> {
  const { subject, text, startedAt, indexed } = await findRow(database, id);
  if (startedAt === null) throw new AppError('documents/not-found');
  const { date: day } = clockOf(timeZone, new Date(Number(startedAt)));
  return { id, subject, text, day, indexed: indexed === 1 };
}

export async function createIssue(database: Database, input: IssueInput, now = Date.now()): Promise<string> {
  const id = randomBytes(12).toString('base64url');
  const { subject, text, indexed } = input;
  await database
    .insertInto('newsletterIssues')
    .values({
      ...{ id, subject, text, indexed: Number(indexed), state: 'draft', problem: null, revision: 1 },
      ...{ recipients: 0, sent: 0, updatedAt: now, startedAt: null, finishedAt: null, notBefore: 0 },
    })
    .execute();
  return id;
}

/**
 * Changes an issue: everything of a draft, and only `indexed` of an issue that was sent.
 * @param revision the revision that the admin saw
 * @throws AppError `documents/not-found`; `documents/precondition-failed` with the current issue;
 * `newsletter/already-sent`
 */
export async function changeIssue(
  database: Database,
  { id, revision, input }: { id: string; revision: number; input: IssueInput },
  now = Date.now(),
): Promise<void> {
  const { subject, text, indexed } = input;
  const row = await findRow(database, id);
  const isDraft = row.state === 'draft';
  if (!isDraft && (subject !== row.subject || text !== row.text))
    throw new AppError('newsletter/already-sent');
  const changed = await database
    .updateTable('newsletterIssues')
    .set((issue) => ({
      ...{ subject, text, indexed: Number(indexed), revision: issue('revision', '+', 1) },
      ...(isDraft && { updatedAt: now }),
    }))
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('state', '=', row.state)
    .returning('id')
    .executeTakeFirst();
  if (!changed)
    throw new AppError('documents/precondition-failed', { current: await readIssue(database, id) });
}

/** Deletes a draft. @throws AppError `documents/not-found`, `newsletter/already-sent` */
export async function deleteIssue(database: Database, id: string): Promise<void> {
  const { state } = await findRow(database, id);
  if (state !== 'draft') throw new AppError('newsletter/already-sent');
  await database.deleteFrom('newsletterIssues').where('id', '=', id).where('state', '=', 'draft').execute();
}

/**
 * Begins to send a draft to the confirmed subscribers. A second call changes nothing.
 * @param revision the revision that the admin saw
 * @throws AppError `documents/not-found`, `documents/precondition-failed`, `newsletter/no-subscribers`
 */
export async function beginSending(
  database: Database,
  { id, revision }: { id: string; revision: number },
  now = Date.now(),
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const begun = await transaction
      .updateTable('newsletterIssues')
      .set({ state: 'sending', startedAt: now, problem: null, notBefore: 0 })
      .where('id', '=', id)
      .where('state', '=', 'draft')
      .where('revision', '=', revision)
      .returning('id')
      .executeTakeFirst();
    if (!begun) {
      const { state } = await findRow(transaction, id);
      if (state === 'draft')
        throw new AppError('documents/precondition-failed', { current: await readIssue(transaction, id) });
      return;
    }
    await transaction
      .insertInto('newsletterDeliveries')
      .columns(['issueId', 'subscriberId', 'state', 'attempts', 'notBefore', 'heldUntil'])
      .expression((row) =>
        row
          .selectFrom('newsletterSubscribers')
          .select([
            sql<string>`cast(${id} as text)`.as('issueId'),
            'id',
            sql<'waiting'>`'waiting'`.as('state'),
            sql<number>`0`.as('attempts'),
            sql<number>`0`.as('notBefore'),
            sql<number>`0`.as('heldUntil'),
          ])
          .where('confirmedAt', 'is not', null),
      )
      .execute();
    const recipients = await countIn(transaction, id, 'waiting');
    if (recipients === 0) throw new AppError('newsletter/no-subscribers');
    await transaction.updateTable('newsletterIssues').set({ recipients }).where('id', '=', id).execute();
  });
}

/** Pauses an issue that is being sent. The mails that have begun arrive. */
export async function pauseIssue(database: Database, id: string, problem: string | null): Promise<void> {
  await database
    .updateTable('newsletterIssues')
    .set({ state: 'paused', problem })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute();
}

/** Continues a paused issue, and one that waits for the mail server. */
export async function resumeIssue(database: Database, id: string): Promise<void> {
  await database
    .updateTable('newsletterIssues')
    .set({ state: 'sending', problem: null, notBefore: 0 })
    .where('id', '=', id)
    .where('state', 'in', ['paused', 'sending'])
    .execute();
}

/**
 * Ends the sending of issues in a restored backup, which does not contain who had got them.
 * @param transaction the transaction that writes the rows
 */
export async function endRestoredIssues(transaction: Database, now = Date.now()): Promise<void> {
  await transaction
    .updateTable('newsletterIssues')
    .set({
      ...{ state: 'sent', finishedAt: now },
      problem: 'Esta carta estava sendo enviada quando o backup foi feito. Não se sabe quem a recebeu.',
    })
    .where('state', 'in', ['sending', 'paused'])
    .execute();
}

/** False for text that cannot be the id of an issue. */
export const isIssueId = (text: string) => /^[\w-]{16}$/.test(text);

/** @param id also text that is no id @throws AppError `documents/not-found` */
async function findRow(database: Database, id: string): Promise<Row> {
  if (!isIssueId(id)) throw new AppError('documents/not-found');
  const row = await database
    .selectFrom('newsletterIssues')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('documents/not-found');
  return row;
}

async function issueOf(database: Database, row: Row): Promise<Issue> {
  const { id, subject, text, state, problem } = row;
  const epochMs = (value: number | null) => (value === null ? null : Number(value));
  return {
    ...{ id, subject, text, state, problem, indexed: row.indexed === 1, revision: row.revision },
    updatedAt: Number(row.updatedAt),
    startedAt: epochMs(row.startedAt),
    finishedAt: epochMs(row.finishedAt),
    progress: {
      recipients: row.recipients,
      sent: row.sent,
      waiting: (await countIn(database, id, 'waiting')) + (await countIn(database, id, 'sending')),
      refused: await countIn(database, id, 'refused'),
      unsure: await countIn(database, id, 'unsure'),
    },
  };
}

async function countIn(
  database: Database,
  issueId: string,
  state: Tables['newsletterDeliveries']['state'],
): Promise<number> {
  const { count } = await database
    .selectFrom('newsletterDeliveries')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('issueId', '=', issueId)
    .where('state', '=', state)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countSubscribers(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom('newsletterSubscribers')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('confirmedAt', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
