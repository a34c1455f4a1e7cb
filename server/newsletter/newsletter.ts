import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/connect.ts';
import { csvLine } from '../http/csv.ts';
import { AppError } from '../http/errors.ts';
import { noteAccess } from '../users/access-log.ts';

/** What the link of a mail may do with a subscription. */
export type LinkPurpose = 'confirm' | 'leave';

/** Nobody is mailed a confirmation link more often than this, however often the form is sent. */
const mailPauseMs = 10 * 60_000;

/**
 * Notes a wish to get the letter.
 * @returns the subscriber's id when a confirmation should be mailed now
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
      .where('mailedAt', '<', now - mailPauseMs)
      .returning('id')
      .executeTakeFirst();
    return due?.id;
  });
}

/** @throws AppError `auth/invalid-link` when the subscription is gone */
export async function confirm(database: Database, id: string, now = Date.now()): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable('newsletterSubscribers')
    .set((row) => ({ confirmedAt: row.fn.coalesce('confirmedAt', row.val(now)) }))
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('auth/invalid-link');
}

/** Removes the subscription, and with it everything known of the address. Leaving twice is no error. */
export async function leave(database: Database, id: string): Promise<void> {
  await database.deleteFrom('newsletterSubscribers').where('id', '=', id).execute();
}

/** How many people the access log takes in one statement: SQLite limits the parameters. */
const notedAtOnce = 1_000;

/**
 * The confirmed subscribers as a table for the program that sends the newsletter (RFC 4180). Those who have an account
 * find it in their access log.
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

/** Makes and reads the tokens of the links in mails: signed, one purpose each, no address in them. */
export function createNewsletterLinks(authSecret: string, publicUrl: string) {
  const sign = (id: string, purpose: LinkPurpose) =>
    createHmac('sha256', authSecret).update(`newsletter ${purpose} ${id}`).digest('base64url');

  return {
    /** The page that asks for one more press: mail programs open links by themselves. */
    link: (id: string, purpose: LinkPurpose) =>
      `${publicUrl}/carta/${purpose === 'confirm' ? 'confirmar' : 'sair'}#${id}.${sign(id, purpose)}`,

    /** The subscriber's id. @throws AppError `auth/invalid-link` */
    read(token: string, purpose: LinkPurpose): string {
      const [id = '', signature = ''] = token.split('.');
      const [given, right] = [Buffer.from(signature), Buffer.from(sign(id, purpose))];
      if (given.length !== right.length || !timingSafeEqual(given, right))
        throw new AppError('auth/invalid-link');
      return id;
    },
  };
}
