import { createHash, randomUUID } from 'node:crypto';
import type { DiaryConsent, NewDiaryConsent } from '#contract/diary/consent.ts';
import { noteDeletion } from '../backup/deletions.ts';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { lockUser } from '../users/users.ts';

type ConsentContext = Pick<AppContext, 'database' | 'databaseKind'>;

const fields = ['version', 'text', 'digest', 'givenAt', 'withdrawnAt'] as const;

/** Reads a user's consent that is valid now. */
export async function findConsent(database: Database, uid: string): Promise<DiaryConsent | undefined> {
  return (await listConsents(database, uid)).find(({ withdrawnAt }) => withdrawnAt === null);
}

/** Reads all consents of a user, also those that the user has withdrawn, oldest first. */
export async function listConsents(database: Database, uid: string): Promise<DiaryConsent[]> {
  const rows = await database
    .selectFrom('diaryConsents')
    .select(fields)
    .where('uid', '=', uid)
    .orderBy('givenAt')
    .execute();
  return rows.map(({ givenAt, withdrawnAt, ...row }) => ({
    ...row,
    givenAt: Number(givenAt),
    withdrawnAt: withdrawnAt === null ? null : Number(withdrawnAt),
  }));
}

/** @throws AppError `documents/diary-consent-missing` without a valid consent */
export async function requireConsent(database: Database, uid: string): Promise<void> {
  if (!(await findConsent(database, uid))) throw new AppError('documents/diary-consent-missing');
}

/** Keeps what a user has agreed to. A repeated request changes nothing. */
export async function giveConsent(
  { database, databaseKind }: ConsentContext,
  uid: string,
  { version, text }: NewDiaryConsent,
  now = Date.now(),
): Promise<DiaryConsent> {
  return database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    const given = await findConsent(transaction, uid);
    if (given) return given;
    const digest = createHash('sha256').update(text).digest('hex');
    const consent = { version, text, digest, givenAt: now, withdrawnAt: null };
    await transaction
      .insertInto('diaryConsents')
      .values({ id: randomUUID(), uid, ...consent })
      .execute();
    return consent;
  });
}

/** Withdraws a user's consent, in the transaction that deletes the diary. */
export async function withdrawConsent(transaction: Database, uid: string, now: number): Promise<void> {
  const withdrawn = await transaction
    .updateTable('diaryConsents')
    .set({ withdrawnAt: now })
    .where('uid', '=', uid)
    .where('withdrawnAt', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of withdrawn) await noteDeletion(transaction, withdrawnId(id));
}

/** Withdraws again what a restored backup has brought back. @param wasDeleted see backup/deletions.ts */
export async function withdrawConsentsAgain(
  database: Database,
  wasDeleted: (id: string) => boolean,
): Promise<void> {
  const rows = await database
    .selectFrom('diaryConsents')
    .select(['id', 'uid'])
    .where('withdrawnAt', 'is', null)
    .execute();
  for (const { id, uid } of rows)
    if (wasDeleted(withdrawnId(id))) await withdrawConsent(database, uid, Date.now());
}

const withdrawnId = (id: string) => `diary consent ${id}`;
