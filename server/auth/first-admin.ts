import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';

/**
 * Creates the token of the one-time link that makes the first admin, and invalidates earlier links.
 * @returns undefined when there is already an admin
 */
export async function createFirstAdminToken(database: Database): Promise<string | undefined> {
  if (await hasAdmin(database)) return undefined;
  const token = randomBytes(32).toString('base64url');
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('firstAdminLinks').execute();
    await transaction
      .insertInto('firstAdminLinks')
      .values({ tokenHash: hashOf(token), createdAt: Date.now() })
      .execute();
  });
  return token;
}

/**
 * Makes `uid` the first admin and invalidates the link.
 * @throws AppError `auth/invalid-link`, `auth/already-has-admin`
 */
export async function takeFirstAdminLink(database: Database, token: string, uid: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Deleting the row claims the link: of two concurrent requests one deletes no row, in both databases.
    const taken = await transaction
      .deleteFrom('firstAdminLinks')
      .where('tokenHash', '=', hashOf(token))
      .returning('tokenHash')
      .executeTakeFirst();
    if (!taken) throw new AppError('auth/invalid-link');
    if (await hasAdmin(transaction)) throw new AppError('auth/already-has-admin');
    await transaction.updateTable('users').set({ member: 'admin' }).where('id', '=', uid).execute();
  });
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

/** The database holds only the hash, so a reader of the database cannot use the link. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
