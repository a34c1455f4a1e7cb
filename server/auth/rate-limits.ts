import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { withoutSync } from '../database/log-sync.ts';
import { AppError } from '../http/errors.ts';
import { networksOfSite, siteOf } from '../http/networks.ts';

/** The maximum number of attempts in a window of `windowMs` milliseconds. */
export type RateLimit = { attempts: number; windowMs: number };

/** The database that counts the attempts, and the secret key of their digests. */
export type AttemptStore = Pick<AppContext, 'database' | 'authSecret'>;

const minute = 60_000;

/** The database counts the attempts, so all instances share these rate limits. */
export const rateLimits = {
  /** From one IP address on any account; all users in a school or a clinic can share one IP address. */
  signInByAddress: { attempts: 100, windowMs: 15 * minute },
  /** On one account from one IP address. */
  signInByAccountAndAddress: { attempts: 10, windowMs: 15 * minute },
  /** On one account from any IP address, except from known browsers: `signInByKnownBrowser` counts those. */
  signInByAccount: { attempts: 50, windowMs: 15 * minute },
  /** On one account from browsers that have signed in to it before. */
  signInByKnownBrowser: { attempts: 20, windowMs: 15 * minute },
  /** Attempts to enter the current password, or the code of a new authenticator, in an open session. */
  passwordByAccount: { attempts: 10, windowMs: 15 * minute },
  signUpByAddress: { attempts: 30, windowMs: 60 * minute },
  resetByAddress: { attempts: 20, windowMs: 60 * minute },
  /**
   * For one email address. Known browsers have a count of their own. The same applies to the next rate limit.
   */
  resetByAccount: { attempts: 3, windowMs: 15 * minute },
  resetByAccountADay: { attempts: 12, windowMs: 24 * 60 * minute },
  /** Links of invitations that are looked at or used. */
  invitationByAddress: { attempts: 60, windowMs: 15 * minute },
  verificationByAccount: { attempts: 3, windowMs: 15 * minute },
  /** Mails of one kind to one mailbox, because strangers can request them. */
  mailByRecipient: { attempts: 5, windowMs: 15 * minute },
  mailByRecipientADay: { attempts: 12, windowMs: 24 * 60 * minute },
  /** Mails of one budget (`MailBudget`) to all mailboxes together. */
  mailsAnHour: { attempts: 200, windowMs: 60 * minute },
  /** Mails to the admins about one subject of the operation, such as the backups. */
  adminWarningADay: { attempts: 1, windowMs: 24 * 60 * minute },
  googleByAddress: { attempts: 60, windowMs: 60 * minute },
  /** Challenges of the app check for visitors. Each costs the server about 2 ms. */
  challengeByAddress: { attempts: 300, windowMs: 15 * minute },
  newsletterTestsByAccount: { attempts: 20, windowMs: 60 * minute },
  reminderTestsByAccount: { attempts: 3, windowMs: 60 * minute },
  /** Files of up to 20,000 entries. */
  diaryImportsByAccount: { attempts: 10, windowMs: 60 * minute },
  newsletterByAddress: { attempts: 20, windowMs: 60 * minute },
  /** Uploads of profile pictures that begin, from accounts that are no admins. */
  pictureUploadsByAddress: { attempts: 40, windowMs: 60 * minute },
  /**
   * Allows six events each to a hundred visitors behind one IP address. A visitor sends at most three events
   * for each practice of a page.
   */
  practiceEventsByAddress: { attempts: 600, windowMs: 15 * minute },
  /** Searches among practices, by the API and by rendered pages. */
  practiceSearchesByAddress: { attempts: 300, windowMs: 15 * minute },
} as const satisfies Record<string, RateLimit>;

/** A rate limit, and the subject that it limits. */
type Attempt = [name: keyof typeof rateLimits, subject: string];
type Counted = { key: string; count: number; endsAt: number };

/**
 * Counts an attempt under each of these rate limits. It uses a single statement, so that no concurrent
 * attempt is lost.
 * @returns for each rate limit the number of attempts in its current window, including this one
 */
export async function countAttempts(
  { database, authSecret }: AttemptStore,
  attempts: Attempt[],
  now = Date.now(),
): Promise<Counted[]> {
  const fresh = attempts.map(([name, subject]) => ({
    key: keyOf(authSecret, name, subject),
    endsAt: now + rateLimits[name].windowMs,
  }));
  const values = fresh.map(({ key, endsAt }) => sql`(${key}, 1, ${endsAt})`);
  // A window is also over if it ends later than one that begins now: the clock was set back since it began.
  const over = sql`attempts."endsAt" <= ${now} or attempts."endsAt" > excluded."endsAt"`;
  // Raw SQL, because every sign-in runs it, and Kysely's query builder would take longer than the statement.
  const { rows } = await sql<Counted>`
    insert into attempts ("key", "count", "endsAt") values ${sql.join(values)}
    on conflict ("key") do update set
      "count" = case when ${over} then 1 else attempts."count" + 1 end,
      "endsAt" = case when ${over} then excluded."endsAt" else attempts."endsAt" end
    returning "key", "count", "endsAt"`.execute(database);
  return fresh.flatMap(({ key }) => rows.filter((row) => row.key === key));
}

/**
 * Counts one attempt under several rate limits, in one transaction. An attempt from an IPv6 /64 network also
 * counts for its /48 network.
 * @throws AppError `auth/too-many-attempts` with the seconds to wait, when a rate limit is exceeded; the
 * attempt is then not counted
 */
export async function limitAttempts(
  { database, authSecret }: AttemptStore,
  ...attempts: Attempt[]
): Promise<void> {
  const limited = attempts.flatMap(withSite);
  const count = async (transaction: Database) => {
    const counted = await countAttempts(
      { database: transaction, authSecret },
      limited.map(({ attempt }) => attempt),
    );
    const exceeded = counted.find(({ count }, place) => count > (limited[place]?.most ?? 0));
    if (exceeded === undefined) return;
    const retryAfterSeconds = Math.ceil((exceeded.endsAt - Date.now()) / 1_000);
    throw new AppError('auth/too-many-attempts', { retryAfterSeconds });
  };
  // The commit does not wait for the disk, so that password guessing does not keep the disk busy.
  await withoutSync(() => database.transaction().execute(count));
}

/**
 * Counts one attempt under several rate limits.
 * @returns false, and counts nothing, when a rate limit is exceeded
 */
export async function tryAttempts(store: AttemptStore, ...attempts: Attempt[]): Promise<boolean> {
  try {
    await limitAttempts(store, ...attempts);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'auth/too-many-attempts') return false;
    throw error;
  }
}

/** Deletes the attempts of `subject`, for example after the right password. */
export async function forgetAttempts(
  { database, authSecret }: AttemptStore,
  name: keyof typeof rateLimits,
  subject: string,
): Promise<void> {
  await database
    .deleteFrom('attempts')
    .where('key', '=', keyOf(authSecret, name, subject))
    .execute();
}

/** Adds the /48 network of the attempt, if its subject is a /64 network. */
function withSite(attempt: Attempt): { attempt: Attempt; most: number }[] {
  const [name, subject] = attempt;
  const most = rateLimits[name].attempts;
  const site = siteOf(subject);
  const own = { attempt, most };
  return site === undefined ? [own] : [own, { attempt: [name, site], most: most * networksOfSite }];
}

/**
 * Digests the subject, so that the table holds no email or IP addresses. The digest has a secret key, because
 * otherwise a reader of the database could find an address by trying all of them.
 */
function keyOf(authSecret: string, name: string, subject: string): string {
  return `${name} ${createHmac('sha256', authSecret).update(`attempt ${subject}`).digest('base64url')}`;
}
