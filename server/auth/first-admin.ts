import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { equalInConstantTime } from '../http/tokens.ts';

/** The id of the only row in `firstAdminLinks`. */
const id = 'first-admin';

/** The database with the seed of the link, and the secret that turns the seed into the link's token. */
type LinkStore = { database: Database; authSecret: string };

/**
 * Returns the token of the one-time link that makes the first admin. All instances and all starts return the
 * same token until the link is used.
 * @returns undefined when there is already an admin
 */
export async function findFirstAdminToken({ database, authSecret }: LinkStore): Promise<string | undefined> {
  if (await hasAdmin(database)) return undefined;
  await database
    .insertInto('firstAdminLinks')
    .values({ id, seed: randomBytes(32).toString('base64url'), createdAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const seed = await findSeed(database);
  return seed && tokenOf(authSecret, seed);
}

/**
 * Makes `uid` the first admin and invalidates the link.
 * @throws AppError `auth/invalid-link`, `auth/already-has-admin`
 */
export async function takeFirstAdminLink(
  { database, authSecret }: LinkStore,
  token: string,
  uid: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const seed = await findSeed(transaction);
    if (!seed || !equalInConstantTime(token, tokenOf(authSecret, seed)))
      throw new AppError('auth/invalid-link');
    // Deleting the row claims the link: in both databases, only one of two concurrent requests deletes it.
    const taken = await transaction
      .deleteFrom('firstAdminLinks')
      .where('seed', '=', seed)
      .returning('seed')
      .executeTakeFirst();
    if (!taken) throw new AppError('auth/invalid-link');
    if (await hasAdmin(transaction)) throw new AppError('auth/already-has-admin');
    await transaction.updateTable('users').set({ member: 'admin' }).where('id', '=', uid).execute();
  });
}

async function findSeed(database: Database): Promise<string | undefined> {
  const row = await database
    .selectFrom('firstAdminLinks')
    .select('seed')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.seed;
}

async function hasAdmin(database: Database): Promise<boolean> {
  const admin = await database
    .selectFrom('users')
    .select('id')
    .where('member', '=', 'admin')
    .limit(1)
    .executeTakeFirst();
  return admin !== undefined;
}

/**
 * Computes the link's token. The database holds only the seed, so a reader of the database cannot make the
 * link.
 */
function tokenOf(authSecret: string, seed: string): string {
  return createHmac('sha256', authSecret).update(`first admin ${seed}`).digest('base64url');
}
