import { setImmediate } from 'node:timers/promises';
import { dateOf, dayMs, mondayOf } from '#contract/calendar.ts';
import {
  chartWeeks,
  type DiaryChart,
  type DiaryDays,
  type DiaryDaysQuery,
  type DiaryEntry,
  type DiaryItem,
  type DiaryPage,
  type DiaryState,
  type DiarySummary,
  type KeptItem,
} from '#contract/diary/entry.ts';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { findConsent } from './consent.ts';
import { type EntryRow, itemOf } from './entry-rows.ts';
import { type Diary, findDiary } from './keys/user-key.ts';

type ReadContext = Pick<AppContext, 'database' | 'diaryMasterKey'>;

const isKept = (item: DiaryItem): item is KeptItem => !('deleted' in item);

/** Rows that are opened before other requests run. */
const rowsATurn = 100;

/** Opens rows. A large diary takes seconds, so other requests run in between. */
async function itemsOf(rows: EntryRow[], diary: Diary): Promise<DiaryItem[]> {
  const items: DiaryItem[] = [];
  for (const row of rows) {
    if (items.length % rowsATurn === rowsATurn - 1) await setImmediate();
    items.push(itemOf(row, diary));
  }
  return items;
}

/** Reads one page of a user's diary, in the order of revisions. */
export async function listEntries(
  { database, diaryMasterKey }: ReadContext,
  uid: string,
  { after, limit }: { after: number; limit: number },
): Promise<DiaryPage> {
  const diary = await findDiary(database, diaryMasterKey, uid);
  if (!diary) return { items: [], next: null };
  const rows = await database
    .selectFrom('diaryEntries')
    .selectAll()
    .where('uid', '=', uid)
    // After a restore, a device can know a later revision than the server. It then reads everything again.
    .where('revision', '>', after > diary.revision ? 0 : after)
    .orderBy('revision')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map((row) => itemOf(row, diary));
  return { items, next: rows.length > limit ? (items.at(-1)?.revision ?? null) : null };
}

/** Reads one page of the entries that are not deleted, newest day first. */
export async function listDays(
  { database, diaryMasterKey }: ReadContext,
  uid: string,
  { before, limit }: DiaryDaysQuery,
): Promise<DiaryDays> {
  const diary = await findDiary(database, diaryMasterKey, uid);
  if (!diary) return { entries: [], next: null, titles: {} };
  let query = database
    .selectFrom('diaryEntries')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .orderBy('day', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (before)
    query = query.where((row) =>
      row.or([
        row('day', '<', before.day),
        row.and([
          row('day', '=', before.day),
          row.or([
            row('createdAt', '<', before.createdAt),
            row.and([row('createdAt', '=', before.createdAt), row('id', '<', before.id)]),
          ]),
        ]),
      ]),
    );
  const rows = await query.execute();
  const entries = rows
    .slice(0, limit)
    .map((row) => itemOf(row, diary))
    .filter(isKept);
  const last = rows.length > limit ? entries.at(-1) : undefined;
  const practices = entries.flatMap((entry) => ('practices' in entry ? entry.practices : []));
  return {
    entries,
    next: last ? `${last.day}~${last.createdAt}~${last.id}` : null,
    titles: Object.fromEntries(await titlesOf(database, [...new Set(practices)])),
  };
}

/**
 * Reads one entry.
 * @throws AppError `documents/not-found` if it does not exist, or was deleted;
 * `documents/diary-entry-unreadable`
 */
export async function readEntry(
  { database, diaryMasterKey }: ReadContext,
  uid: string,
  id: string,
): Promise<DiaryEntry> {
  const diary = await findDiary(database, diaryMasterKey, uid);
  const row = await database
    .selectFrom('diaryEntries')
    .selectAll()
    .where('uid', '=', uid)
    .where('id', '=', id)
    .executeTakeFirst();
  const item = diary && row && itemOf(row, diary);
  if (!item || !isKept(item)) throw new AppError('documents/not-found');
  if ('unreadable' in item) throw new AppError('documents/diary-entry-unreadable');
  return item;
}

/** Counts a user's entries, and says whether the user consents and whether the diary is paused. */
export async function readDiaryState({ database }: ReadContext, uid: string): Promise<DiaryState> {
  const diary = await database
    .selectFrom('diaries')
    .select('pausedAt')
    .where('uid', '=', uid)
    .executeTakeFirst();
  const { count, lastDay } = await countEntries(database, uid);
  const consents = (await findConsent(database, uid)) !== undefined;
  return { consents, count, lastDay, pausedAt: diary?.pausedAt == null ? null : Number(diary.pausedAt) };
}

async function countEntries(database: Database, uid: string) {
  const { count, lastDay } = await database
    .selectFrom('diaryEntries')
    .select((row) => [row.fn.count<number>('day').as('count'), row.fn.max('day').as('lastDay')])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  return { count: Number(count), lastDay };
}

/**
 * Counts for each word and each week the entries with the word: a year of entries is too long for a phone.
 * @param today the patient's calendar day, in the last of the weeks
 */
export async function countWords(
  { database, diaryMasterKey }: ReadContext,
  uid: string,
  today: string,
): Promise<DiaryChart> {
  const from = mondayOf(today, chartWeeks - 1);
  const diary = await findDiary(database, diaryMasterKey, uid);
  const rows = diary
    ? await database
        .selectFrom('diaryEntries')
        .selectAll()
        .where('uid', '=', uid)
        .where('day', '>=', from)
        .where('day', '<', mondayOf(today, -1))
        .execute()
    : [];
  const counts = new Map<string, number[]>();
  for (const item of diary ? await itemsOf(rows, diary) : []) {
    if (!('words' in item)) continue;
    const week = Math.floor((Date.parse(item.day) - Date.parse(from)) / (7 * dayMs));
    for (const word of item.words) {
      const weeks = counts.get(word) ?? Array<number>(chartWeeks).fill(0);
      weeks[week] = (weeks[week] ?? 0) + 1;
      counts.set(word, weeks);
    }
  }
  return { from, words: [...counts].map(([word, weeks]) => ({ word, weeks })) };
}

/** Reads the entries of some days that are not deleted, oldest day first. */
export async function readEntries(
  { database, diaryMasterKey }: ReadContext,
  uid: string,
  { from, to }: { from: string; to: string },
): Promise<KeptItem[]> {
  const diary = await findDiary(database, diaryMasterKey, uid);
  if (!diary) return [];
  const rows = await database
    .selectFrom('diaryEntries')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return (await itemsOf(rows, diary)).filter(isKept);
}

/** Days whose words the mood record shows. */
const recentDays = 14;

/**
 * Summarizes a user's diary for the mood record: the number of entries, the last day, and the words of the
 * last days. It contains no notes.
 * @returns undefined without entries
 */
export async function summarizeDiary(
  { database, diaryMasterKey }: ReadContext,
  uid: string,
  now = Date.now(),
): Promise<DiarySummary | undefined> {
  const diary = await findDiary(database, diaryMasterKey, uid);
  if (!diary?.key) return undefined;
  const { count, lastDay } = await countEntries(database, uid);
  if (lastDay === null) return undefined;
  const rows = await database
    .selectFrom('diaryEntries')
    .selectAll()
    .where('uid', '=', uid)
    .where('day', '>', dateOf(now - recentDays * dayMs))
    .orderBy('day')
    .orderBy('createdAt')
    .execute();
  const recent = (await itemsOf(rows, diary)).flatMap((item) =>
    'words' in item ? [{ day: item.day, words: item.words }] : [],
  );
  return { v: 1, count, lastDay, recent };
}

/** Returns the titles of the public practices among these ids. */
export async function titlesOf(database: Database, ids: string[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  // SQLite limits the parameters of a statement.
  for (let start = 0; start < ids.length; start += 1_000) {
    const rows = await database
      .selectFrom('activities')
      .select(['id', 'title'])
      .where('visibility', '=', 'public')
      .where('id', 'in', ids.slice(start, start + 1_000))
      .execute();
    for (const { id, title } of rows) titles.set(id, title);
  }
  return titles;
}
