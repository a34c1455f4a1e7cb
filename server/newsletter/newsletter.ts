import { createHmac, randomBytes } from 'node:crypto';
import { leavePath } from '#contract/newsletter.ts';
import { noteDeletion } from '../backup/deletions.ts';
import type { Database } from '../database/connect.ts';
import { csvLine } from '../http/csv.ts';
import { AppError } from '../http/errors.ts';
import { equalInConstantTime } from '../http/tokens.ts';
import { noteAccess } from '../users/access-log.ts';

export type LinkPurpose = 'confirm' | 'leave';

/** The shortest time between two confirmation mails to an email address. */
const mailPauseMs = 10 * 60_000;

/**
 * Records a request to receive the newsletter.
 * @returns the subscriber's id when a confirmation should be mailed now; else `undefined`
 */
export async function subscribe(
  database: Database,
  email: string,
  now = Date.now(),
): Promise<string | undefined> {
  return database.transaction().execute(async (transaction) => {
    const inserted = await transaction
      .insertInto('newsletterSubscribers')
      .values({ id: randomBytes(12).toString('base64url'), email, consentedAt: now, mailedAt: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return inserted.id;
    const due = await transaction
      .updateTable('newsletterSubscribers')
      .set({ consentedAt: now, mailedAt: now })
      .where('email', '=', email)
      .where('confirmedAt', 'is', null)
      // If `mailedAt` is in the future, the clock was set back after the last mail. A mail is due then, too.
      .where((row) => row.or([row('mailedAt', '<', now - mailPauseMs), row('mailedAt', '>', now)]))
      .returning('id')
      .executeTakeFirst();
    return due?.id;
  });
}

/** @throws AppError `auth/invalid-link` when the subscription no longer exists */
export async function confirm(database: Database, id: string, now = Date.now()): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable('newsletterSubscribers')
    .set((row) => ({ confirmedAt: row.fn.coalesce('confirmedAt', row.val(now)) }))
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('auth/invalid-link');
}

/**
 * Deletes the subscription and all data of the email address. It does not fail if the subscription is
 * already deleted.
 */
export async function leave(database: Database, id: string): Promise<void> {
  await database.transaction().execute((transaction) => deleteSubscription(transaction, id));
}

/** Deletes a subscription, and notes the deletion so that a restored backup does not bring it back. */
export async function deleteSubscription(transaction: Database, id: string): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom('newsletterSubscribers')
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await noteDeletion(transaction, id);
}

/**
 * Deletes again the subscriptions that a restored backup brought back. A newer subscription of the same email
 * address has another id, so it stays.
 */
export async function leaveAgain(database: Database, wasDeleted: (id: string) => boolean): Promise<void> {
  for (const { id } of await database.selectFrom('newsletterSubscribers').select('id').execute())
    if (wasDeleted(id)) await database.deleteFrom('newsletterSubscribers').where('id', '=', id).execute();
}

/**
 * The maximum number of users in one statement for the access log. SQLite limits the parameters of a
 * statement.
 */
const notedAtOnce = 1_000;

/**
 * Exports the confirmed subscribers as CSV (RFC 4180) for the program that sends the newsletter. For each
 * subscriber with an account, the access log records the export.
 */
export async function toCsv(
  database: Database,
  { linkFor, actorId }: { linkFor: (id: string) => string; actorId: string },
): Promise<string> {
  const rows = await database
    .selectFrom('newsletterSubscribers as subscribers')
    .leftJoin('users', 'users.email', 'subscribers.email')
    .select(['subscribers.id', 'subscribers.email', 'consentedAt', 'confirmedAt', 'users.id as uid'])
    .where('confirmedAt', 'is not', null)
    .orderBy('confirmedAt')
    .execute();
  const uids = rows.flatMap(({ uid }) => uid ?? []);
  for (let start = 0; start < uids.length; start += notedAtOnce) {
    const subjectIds = uids.slice(start, start + notedAtOnce);
    await noteAccess(database, { actorId, subjectIds, action: 'read', what: 'newsletter.csv' });
  }
  const time = (epochMs: number | null) => (epochMs === null ? '' : new Date(epochMs).toISOString());
  const lines = rows.map(({ id, email, consentedAt, confirmedAt }) => [
    email,
    time(consentedAt),
    time(confirmedAt),
    linkFor(id),
  ]);
  return [['email', 'consentido_em', 'confirmado_em', 'link_para_sair'], ...lines]
    .map((cells) => csvLine(cells, ','))
    .join('');
}

/**
 * Creates links for mails and verifies their tokens. A token is valid for one purpose and contains no email
 * address.
 */
export function createNewsletterLinks(authSecret: string, publicUrl: string) {
  const sign = (id: string, purpose: LinkPurpose) =>
    createHmac('sha256', authSecret).update(`newsletter ${purpose} ${id}`).digest('base64url');

  const token = (id: string, purpose: LinkPurpose) => `${id}.${sign(id, purpose)}`;

  return {
    /** The link opens a page that asks for a click, because mail programs open links automatically. */
    link: (id: string, purpose: LinkPurpose) =>
      purpose === 'leave'
        ? publicUrl + leavePath(token(id, purpose))
        : `${publicUrl}/carta/confirmar#${token(id, purpose)}`,

    /** Returns the subscriber's id. @throws AppError `auth/invalid-link` */
    read(token: string, purpose: LinkPurpose): string {
      const [id = '', signature = ''] = token.split('.');
      if (!equalInConstantTime(signature, sign(id, purpose))) throw new AppError('auth/invalid-link');
      return id;
    },
  };
}
