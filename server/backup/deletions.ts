import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { limits } from '#contract/limits.ts';
import type { Database } from '../database/connect.ts';
import type { BackupStore } from './place/backup-store.ts';

/**
 * A restored backup must not bring back an account or a newsletter subscription that was deleted after the
 * backup. So each deletion writes a keyed hash of the id, in the same transaction. The hash is then stored
 * beside the backups. The database keeps it for as long as backups are kept, so that a new destination
 * gets the hash, too. Every backup contains the key, so a restore can tell which ids in the backup were
 * deleted. Without the key, a hash reveals nothing.
 */

const folder = 'deleted-accounts/';
const onlyRow = 1;
const keptMs = limits.backupMaxDays * 24 * 60 * 60_000;

/** Notes the deletion of an account or subscription, in the transaction that deletes it. */
export async function noteDeletion(transaction: Database, id: string): Promise<void> {
  const hash = hashOf(await deletionsKey(transaction), id);
  await transaction
    .insertInto('deletedAccounts')
    .values({ hash, storedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** True if the deletion of an id was noted in the last 90 days. */
export async function wasDeletionNoted(transaction: Database, id: string): Promise<boolean> {
  const key = await findDeletionsKey(transaction);
  if (key === undefined) return false;
  const hash = hashOf(key, id);
  const row = await transaction
    .selectFrom('deletedAccounts')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the key of the hashes. The first call creates the key. */
export async function deletionsKey(database: Database): Promise<string> {
  await database
    .insertInto('deletedAccountsKey')
    .values({ id: onlyRow, key: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { key } = await database.selectFrom('deletedAccountsKey').select('key').executeTakeFirstOrThrow();
  return key;
}

/** Like `deletionsKey`, but changes nothing. */
export async function findDeletionsKey(database: Database): Promise<string | undefined> {
  const row = await database.selectFrom('deletedAccountsKey').select('key').executeTakeFirst();
  return row?.key;
}

/** True if some hashes are not yet stored beside the backups. */
export async function hasUnstoredDeletions(database: Database): Promise<boolean> {
  const row = await database
    .selectFrom('deletedAccounts')
    .select('hash')
    .where('storedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the hashes that are missing beside the backups, and deletes old hashes from the database. */
export async function storeDeletions(
  database: Database,
  store: BackupStore,
  now = Date.now(),
): Promise<void> {
  const stored = await store.list(folder);
  for (const { hash, storedAt } of await database.selectFrom('deletedAccounts').selectAll().execute()) {
    if (!stored.has(folder + hash)) await store.write(folder + hash, Readable.from([]));
    if (storedAt === null)
      await database.updateTable('deletedAccounts').set({ storedAt: now }).where('hash', '=', hash).execute();
  }
  await database
    .deleteFrom('deletedAccounts')
    .where('storedAt', '<', now - keptMs)
    .execute();
}

/**
 * Reads the hashes beside the backups.
 * @returns a function that tells whether the account or subscription with an id was deleted
 */
export async function readDeletions(store: BackupStore, key: string): Promise<(id: string) => boolean> {
  const hashes = new Set(await store.list(folder).then((found) => found.keys()));
  return (id) => hashes.has(folder + hashOf(key, id));
}

/**
 * Returns an installation's id. Installations that are restored from its backups have the same id. The id
 * does not reveal the key.
 */
export const installationOf = (key: string) =>
  createHash('sha256').update(`installation\0${key}`).digest('hex').slice(0, 32);

const hashOf = (key: string, id: string) => createHmac('sha256', key).update(id).digest('hex');
