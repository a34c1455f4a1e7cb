import type { Database } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';
import { requireConsent } from '../consent.ts';
import { type Key, newKey, open, seal, Unopenable } from './sealing.ts';

/** A user's diary. It has no key after its deletion. */
export type Diary = {
  uid: string;
  /** The last revision of an entry. */
  revision: number;
  keyVersion: number;
  key: Key | 'damaged' | undefined;
};

const aboutKey = (uid: string, version: number) => ['diaries', uid, version];

/** Reads a user's diary. @returns undefined if the user has never had one */
export async function findDiary(database: Database, masterKey: Key, uid: string): Promise<Diary | undefined> {
  const row = await database.selectFrom('diaries').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (!row) return undefined;
  const { revision, sealedKey } = row;
  const keyVersion = Number(row.keyVersion);
  const key = sealedKey === null ? undefined : openKey(masterKey, sealedKey, uid, keyVersion);
  return { uid, revision: Number(revision), keyVersion, key };
}

/**
 * Like `findDiary`, but creates the diary, and a new key after the diary was deleted.
 * @param isDeletion a deletion needs no consent
 * @throws AppError `documents/diary-consent-missing`; `documents/diary-entry-unreadable` when the key is
 * damaged: a backup may still have it
 */
export async function openDiary(
  transaction: Database,
  masterKey: Key,
  uid: string,
  { isDeletion = false } = {},
): Promise<Diary & { key: Key }> {
  if (!isDeletion) await requireConsent(transaction, uid);
  const found = await findDiary(transaction, masterKey, uid);
  if (found?.key === 'damaged') throw new AppError('documents/diary-entry-unreadable');
  if (found?.key) return { ...found, key: found.key };
  const key = newKey();
  // Not simply the next number: after a restore, a number of a deleted diary would come again.
  const keyVersion = Math.max((found?.keyVersion ?? 0) + 1, Math.floor(Date.now() / 60_000));
  const sealedKey = seal(masterKey, key, aboutKey(uid, keyVersion));
  const revision = found?.revision ?? 0;
  await transaction
    .insertInto('diaries')
    .values({ uid, revision, keyVersion, sealedKey })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet({ keyVersion, sealedKey }))
    .execute();
  return { uid, revision, keyVersion, key };
}

function openKey(masterKey: Key, sealedKey: string, uid: string, version: number): Key | 'damaged' {
  try {
    return open(masterKey, sealedKey, aboutKey(uid, version));
  } catch (error) {
    if (error instanceof Unopenable) return 'damaged';
    throw error;
  }
}

/**
 * Seals the keys of all users with another master key, in the caller's transaction. Damaged keys stay as they
 * are.
 * @returns the number of keys
 */
export async function sealKeysAgain(transaction: Database, from: Key, to: Key): Promise<number> {
  const rows = await transaction
    .selectFrom('diaries')
    .select(['uid', 'keyVersion', 'sealedKey'])
    .where('sealedKey', 'is not', null)
    .execute();
  for (const { uid, keyVersion, sealedKey } of rows) {
    const version = Number(keyVersion);
    const key = openKey(from, sealedKey ?? '', uid, version);
    if (key === 'damaged') continue;
    await transaction
      .updateTable('diaries')
      .set({ sealedKey: seal(to, key, aboutKey(uid, version)) })
      .where('uid', '=', uid)
      .execute();
  }
  return rows.length;
}
