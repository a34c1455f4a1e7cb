import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import { withoutSync } from '../database/without-sync.ts';
import { AppError } from '../http/errors.ts';

/** So many attempts in so long. */
export type RateLimit = { attempts: number; windowMs: number };

const minute = 60_000;

/** What may be tried how often. The numbers hold for all instances together: they are counted in the database. */
export const rateLimits = {
  /** From one address, whatever the account: a school or a clinic may share one. */
  signInByAddress: { attempts: 100, windowMs: 15 * minute },
  /** On one account from one address. */
  signInByAccountAndAddress: { attempts: 10, windowMs: 15 * minute },
  /** On one account from everywhere, not counting browsers that have been signed in to it before … */
  signInByAccount: { attempts: 50, windowMs: 15 * minute },
  /** … which have a count of their own. */
  signInByKnownBrowser: { attempts: 20, windowMs: 15 * minute },
  /** The own password, given once more in an open session. */
  passwordByAccount: { attempts: 10, windowMs: 15 * minute },
  signUpByAddress: { attempts: 30, windowMs: 60 * minute },
  resetByAddress: { attempts: 20, windowMs: 60 * minute },
  /** For one address, not counting browsers that have been signed in to the account before … */
  resetByAccount: { attempts: 3, windowMs: 15 * minute },
  resetByAccountADay: { attempts: 12, windowMs: 24 * 60 * minute },
  verificationByAccount: { attempts: 3, windowMs: 15 * minute },
  /** A person who is mailed at the request of strangers gets a few mails of each kind. */
  mailByRecipient: { attempts: 5, windowMs: 15 * minute },
  mailByRecipientADay: { attempts: 12, windowMs: 24 * 60 * minute },
  googleByAddress: { attempts: 60, windowMs: 60 * minute },
  newsletterByAddress: { attempts: 20, windowMs: 60 * minute },
} as const satisfies Record<string, RateLimit>;

/**
 * Counts an attempt of `subject` and tells how many there were in the present window, this one included.
 * One statement, so that attempts at the same time are all counted.
 */
export async function countAttempt(
  database: Database,
  name: keyof typeof rateLimits,
  subject: string,
  now = Date.now(),
): Promise<{ count: number; endsAt: number }> {
  const fresh = { count: 1, endsAt: now + rateLimits[name].windowMs };
  const over = sql<boolean>`${sql.ref('attempts.endsAt')} <= ${now}`;
  return database
    .insertInto('attempts')
    .values({ key: keyOf(name, subject), ...fresh })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${over} then 1 else ${sql.ref('attempts.count')} + 1 end`,
        endsAt: sql<number>`case when ${over} then ${fresh.endsAt} else ${sql.ref('attempts.endsAt')} end`,
      }),
    )
    .returning(['count', 'endsAt'])
    .executeTakeFirstOrThrow();
}

/**
 * Counts one attempt under several rateLimits at once, in one transaction.
 * @throws AppError `auth/too-many-attempts` with the seconds to wait, once there are more than a limit allows;
 *   such an attempt is not counted
 */
export async function limitAttempts(
  database: Database,
  ...attempts: [name: keyof typeof rateLimits, subject: string][]
): Promise<void> {
  const count = async (transaction: Database) => {
    for (const [name, subject] of attempts) {
      const { count, endsAt } = await countAttempt(transaction, name, subject);
      if (count > rateLimits[name].attempts) {
        const retryAfterSeconds = Math.ceil((endsAt - Date.now()) / 1_000);
        throw new AppError('auth/too-many-attempts', { retryAfterSeconds });
      }
    }
  };
  // Guessing must not keep others waiting for the disk.
  await withoutSync(database, (connection) => connection.transaction().execute(count));
}

/**
 * Counts one attempt under several rateLimits at once.
 * @returns false, and counts nothing, once there are more than a limit allows
 */
export async function tryAttempts(
  database: Database,
  ...attempts: Parameters<typeof limitAttempts> extends [Database, ...infer Rest] ? Rest : never
): Promise<boolean> {
  try {
    await limitAttempts(database, ...attempts);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'auth/too-many-attempts') return false;
    throw error;
  }
}

/** Forgets the attempts of `subject`: it has shown that it knows the password. */
export async function forgetAttempts(
  database: Database,
  name: keyof typeof rateLimits,
  subject: string,
): Promise<void> {
  await database.deleteFrom('attempts').where('key', '=', keyOf(name, subject)).execute();
}

/** An address as rateLimits count it: of IPv6 the network of one customer, who may change the rest at will. */
export function networkOf(address: string): string {
  return isIPv6(address) && !address.startsWith('::ffff:')
    ? `${expand(address).slice(0, 4).join(':')}::/64`
    : address;
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const [start, end] = [head, tail ?? ''].map((half) => half.split(':').filter(Boolean)) as [
    string[],
    string[],
  ];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''));
}

/** A digest: the table holds neither addresses of people nor of machines. */
function keyOf(name: string, subject: string): string {
  return `${name} ${createHash('sha256').update(subject).digest('base64url')}`;
}
