import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { dateOf, dayMs } from '#contract/calendar.ts';
import {
  type DiaryChange,
  type DiaryFields,
  type DiaryImportResult,
  type DiaryItem,
  diaryFields,
} from '#contract/diary/entry.ts';
import { isBlank, mergeChange } from '#contract/diary/merge.ts';
import { limits } from '#contract/limits.ts';
import { noteDeletion } from '../backup/deletions.ts';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { lockUser } from '../users/users.ts';
import { withdrawConsent, withdrawConsentsAgain } from './consent.ts';
import { contentOf, type EntryRow, itemOf, sealContent } from './entry-rows.ts';
import { findDiary, openDiary } from './keys/user-key.ts';
import { endShares } from './sharing/shares.ts';

type DiaryContext = Pick<AppContext, 'database' | 'databaseKind' | 'diaryMasterKey'>;

const earliestDays = 366;

/**
 * Stores a new entry, or merges a change into an entry. A repeated change alters nothing.
 * @returns `isNew` if the entry was created by this call
 * @throws AppError `request/invalid` for a day outside the last year, or a new entry that says nothing;
 * `documents/too-many-diary-entries`; `documents/diary-entry-full`; `documents/diary-entry-unreadable`
 */
export async function changeEntry(
  { database, databaseKind, diaryMasterKey }: DiaryContext,
  { uid, id, change }: { uid: string; id: string; change: DiaryChange },
  now = Date.now(),
): Promise<{ item: DiaryItem; isNew: boolean }> {
  return database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    const diary = await openDiary(transaction, diaryMasterKey, uid);
    const row = await findRow(transaction, uid, id);
    if (row && row.deletedAt !== null) return { item: itemOf(row, diary), isNew: false };
    if (!row) await requireRoom(transaction, uid, change.day, now);

    const before = row && contentOf(row, diary);
    if (before === 'unreadable') throw new AppError('documents/diary-entry-unreadable');
    const revision = diary.revision + 1;
    const merged = mergeChange(before, change, revision);
    if (merged === 'full') throw new AppError('documents/diary-entry-full');
    if (row && merged === before) return { item: itemOf(row, diary), isNew: false };
    if (!row && isBlank(merged)) throw invalid('change', 'Escolha uma palavra ou escreva algo.');

    const next: EntryRow = {
      ...{ uid, id, revision, deletedAt: null },
      day: row?.day ?? change.day,
      zone: row?.zone ?? change.zone,
      createdAt: row ? Number(row.createdAt) : now,
      sealed: sealContent(diary, uid, id, merged),
    };
    await nextRevision(transaction, uid, revision);
    await transaction
      .insertInto('diaryEntries')
      .values(next)
      .onConflict((conflict) =>
        conflict.columns(['uid', 'id']).doUpdateSet({ revision, sealed: next.sealed }),
      )
      .execute();
    return { item: itemOf(next, diary), isNew: !row };
  });
}

/** An entry of a file. */
type ImportedEntry = DiaryFields & { id: string; day: string; zone: string; createdAt: number };

/**
 * Adds entries to a user's diary, in one transaction. Those that exist stay as they are.
 * @param again the deleted entries that come back
 * @param newIdOf the id under which a deleted entry comes back
 * @throws AppError `documents/too-many-diary-entries`; nothing has changed then
 */
export async function importEntries(
  { database, databaseKind, diaryMasterKey }: DiaryContext,
  uid: string,
  entries: ImportedEntry[],
  { again, newIdOf }: { again: ReadonlySet<string>; newIdOf: (id: string) => string },
  now = Date.now(),
): Promise<DiaryImportResult> {
  return database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    const diary = await openDiary(transaction, diaryMasterKey, uid);
    const rows = await transaction
      .selectFrom('diaryEntries')
      .select(['id', 'deletedAt'])
      .where('uid', '=', uid)
      .execute();
    const known = new Map(rows.map(({ id, deletedAt }) => [id, deletedAt === null ? 'kept' : 'deleted']));
    const result: DiaryImportResult = { added: 0, kept: 0, deleted: [] };
    let { revision } = diary;
    for (const { day, zone, createdAt, ...entry } of entries) {
      if (day > dateOf(now + dayMs)) throw invalid('file', 'Há anotações de dias que ainda não chegaram.');
      let { id } = entry;
      if (known.get(id) === 'deleted' && !again.has(id)) result.deleted.push({ id, day });
      while (known.get(id) === 'deleted' && again.has(entry.id)) id = newIdOf(id);
      if (known.get(id) === 'kept') result.kept += 1;
      if (known.has(id)) continue;
      revision += 1;
      const content = { ...diaryFields.parse(entry), noteRevision: revision, changes: [] };
      await transaction
        .insertInto('diaryEntries')
        .values({
          ...{ uid, id, revision, day, zone, createdAt: Math.min(createdAt, now), deletedAt: null },
          sealed: sealContent(diary, uid, id, content),
        })
        .execute();
      known.set(id, 'kept');
      result.added += 1;
      if (result.added % entriesATurn === 0) await setImmediate();
    }
    await requireBytes(transaction, uid);
    if (known.size > 2 * limits.diaryMaxEntries || keptOf(known) > limits.diaryMaxEntries)
      throw new AppError('documents/too-many-diary-entries');
    await nextRevision(transaction, uid, revision);
    return result;
  });
}

/** Entries that an import stores before other requests run. */
const entriesATurn = 100;

/** An import can add the longest notes at once. @throws AppError `documents/too-many-diary-entries` */
async function requireBytes(transaction: Database, uid: string): Promise<void> {
  const { bytes } = await transaction
    .selectFrom('diaryEntries')
    .select(sql<number | null>`sum(length(sealed))`.as('bytes'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  if (Number(bytes) > limits.diaryMaxBytes) throw new AppError('documents/too-many-diary-entries');
}

const keptOf = (known: ReadonlyMap<string, string>) =>
  [...known.values()].filter((state) => state === 'kept').length;

/**
 * Deletes an entry for ever. An unknown id is deleted, too, because a request that creates the entry may
 * arrive later.
 */
export async function deleteEntry(
  { database, databaseKind, diaryMasterKey }: DiaryContext,
  uid: string,
  id: string,
  now = Date.now(),
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    // A deletion needs no key, so an entry can be deleted although the key is damaged.
    const { revision: before } =
      (await findDiary(transaction, diaryMasterKey, uid)) ??
      (await openDiary(transaction, diaryMasterKey, uid, { isDeletion: true }));
    const row = await findRow(transaction, uid, id);
    if (row && row.deletedAt !== null) return;
    if (!row) await requireRoomInDiary(transaction, uid);
    const revision = before + 1;
    await nextRevision(transaction, uid, revision);
    const gone = { revision, day: null, zone: null, deletedAt: now, sealed: null };
    await transaction
      .insertInto('diaryEntries')
      .values({ uid, id, createdAt: now, ...gone })
      .onConflict((conflict) => conflict.columns(['uid', 'id']).doUpdateSet(gone))
      .execute();
    await noteDeletion(transaction, deletedEntryId(uid, id));
  });
}

/** Pauses a diary, or ends the pause. A paused diary keeps its entries; the user's area does not offer it. */
export async function pauseDiary(
  { database }: Pick<DiaryContext, 'database'>,
  uid: string,
  paused: boolean,
  now = Date.now(),
): Promise<void> {
  await database
    .updateTable('diaries')
    .set({ pausedAt: paused ? now : null })
    .where('uid', '=', uid)
    .execute();
}

/**
 * Deletes a whole diary: first its key, then the content of all entries and the notes for consultations. Also
 * withdraws the consent and ends the shares. The ids of entries stay deleted. After a new consent, the next
 * entry begins a new diary with a new key.
 * @returns true if a clinician could read until this call
 */
export async function deleteDiary(
  { database, databaseKind }: Pick<DiaryContext, 'database' | 'databaseKind'>,
  uid: string,
  now = Date.now(),
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    return destroyDiary(transaction, uid, now);
  });
}

/** The same in the caller's transaction, which has locked the user. */
export async function destroyDiary(transaction: Database, uid: string, now = Date.now()): Promise<boolean> {
  await withdrawConsent(transaction, uid, now);
  const endedShares = await endShares(transaction, { uid, endedBy: 'patient' }, now);
  const diary = await transaction
    .updateTable('diaries')
    .set({ sealedKey: null, pausedAt: null })
    .where('uid', '=', uid)
    .where('sealedKey', 'is not', null)
    .returning(['revision', 'keyVersion'])
    .executeTakeFirst();
  if (!diary) return endedShares;
  await transaction.deleteFrom('consultationNotes').where('uid', '=', uid).execute();
  // The revisions of a user are unique and at most `diary.revision`, so the new ones are unique, too.
  const revision = Number(diary.revision);
  await transaction
    .updateTable('diaryEntries')
    .set((row) => ({
      revision: row('revision', '+', revision),
      ...{ day: null, zone: null, deletedAt: now, sealed: null },
    }))
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .execute();
  await nextRevision(transaction, uid, 2 * revision);
  await noteDeletion(transaction, deletedDiaryId(uid, Number(diary.keyVersion)));
  return endedShares;
}

/** Deletes again what a restored backup has brought back. @param wasDeleted see backup/deletions.ts */
export async function deleteDiariesAgain(
  database: Database,
  wasDeleted: (id: string) => boolean,
): Promise<void> {
  await withdrawConsentsAgain(database, wasDeleted);
  for (const { uid, keyVersion } of await database
    .selectFrom('diaries')
    .select(['uid', 'keyVersion'])
    .execute())
    if (wasDeleted(deletedDiaryId(uid, Number(keyVersion)))) await destroyDiary(database, uid);
  for await (const { uid, id } of readAllIds(database))
    if (wasDeleted(deletedEntryId(uid, id)))
      await database
        .updateTable('diaryEntries')
        .set({ day: null, zone: null, deletedAt: Date.now(), sealed: null })
        .where('uid', '=', uid)
        .where('id', '=', id)
        .execute();
}

const pageRows = 1_000;

/** Reads the ids of the entries that are not deleted, a page at a time. */
async function* readAllIds(database: Database): AsyncGenerator<{ uid: string; id: string }> {
  let last = { uid: '', id: '' };
  for (;;) {
    const page = await database
      .selectFrom('diaryEntries')
      .select(['uid', 'id'])
      .where('deletedAt', 'is', null)
      .where((row) =>
        row.or([row('uid', '>', last.uid), row.and([row('uid', '=', last.uid), row('id', '>', last.id)])]),
      )
      .orderBy('uid')
      .orderBy('id')
      .limit(pageRows)
      .execute();
    yield* page;
    last = page.at(-1) ?? last;
    if (page.length < pageRows) return;
  }
}

const deletedEntryId = (uid: string, id: string) => `diary entry ${uid} ${id}`;
const deletedDiaryId = (uid: string, keyVersion: number) => `diary ${uid} ${keyVersion}`;

async function findRow(database: Database, uid: string, id: string): Promise<EntryRow | undefined> {
  return database
    .selectFrom('diaryEntries')
    .selectAll()
    .where('uid', '=', uid)
    .where('id', '=', id)
    .executeTakeFirst();
}

async function nextRevision(transaction: Database, uid: string, revision: number): Promise<void> {
  await transaction.updateTable('diaries').set({ revision }).where('uid', '=', uid).execute();
}

/** @throws AppError `request/invalid`, `documents/too-many-diary-entries` */
async function requireRoom(transaction: Database, uid: string, day: string, now: number): Promise<void> {
  // A day begins up to 14 hours earlier in other time zones, so tomorrow is a possible day.
  if (day < dateOf(now - earliestDays * dayMs) || day > dateOf(now + dayMs))
    throw invalid('day', 'Escolha um dia do último ano.');
  await requireRoomInDiary(transaction, uid);
  const { count } = await transaction
    .selectFrom('diaryEntries')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limits.diaryEntriesADay) throw new AppError('documents/too-many-diary-entries');
}

/** The ids of deleted entries stay, so there is a limit for them, too. */
async function requireRoomInDiary(transaction: Database, uid: string): Promise<void> {
  const { kept, all } = await transaction
    .selectFrom('diaryEntries')
    .select((row) => [row.fn.count<number>('day').as('kept'), row.fn.countAll<number>().as('all')])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  if (Number(kept) >= limits.diaryMaxEntries || Number(all) >= 2 * limits.diaryMaxEntries)
    throw new AppError('documents/too-many-diary-entries');
}

const invalid = (path: string, message: string) =>
  new AppError('request/invalid', { issues: [{ path, message }] });
