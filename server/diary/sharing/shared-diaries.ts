import { randomUUID } from 'node:crypto';
import { dayAfter } from '#contract/calendar.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import type { SharedDiary, SharedEntries, ShownNote } from '#contract/diary/reading.ts';
import {
  type Clinician,
  type DiaryRead,
  grantedPart,
  type NoteContent,
  type ShareScope,
} from '#contract/diary/share.ts';
import { limits } from '#contract/limits.ts';
import type { AppContext } from '../../context.ts';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';
import { findDiary } from '../keys/user-key.ts';
import { readEntries, titlesOf } from '../read-entries.ts';
import { openContent } from './notes.ts';
import { readValidShares, type ValidShare } from './valid-shares.ts';

type SharedContext = Pick<AppContext, 'database' | 'diaryMasterKey'>;
/** `today` is the calendar day in the clinic's time zone. */
type Reader = { clinician: Clinician; today: string };
type Reading = Reader & { uid: string };

/** The clinician's list has patients for so long after the last day of an assignment. */
const assignmentsListedDays = 90;

/** Lists the patients who allow a clinician to read now, or have an assignment of the clinician, by name. */
export async function listSharedDiaries(database: Database, reader: Reader): Promise<SharedDiary[]> {
  const { uid: clinicianUid } = reader.clinician;
  const shares = await readValidShares(database, clinicianUid);
  const notes = await selectShownNotes(database, reader).execute();
  const assigned = await database
    .selectFrom('assignments')
    .select('uid')
    .where('clinicianUid', '=', clinicianUid)
    .where('withdrawnAt', 'is', null)
    .where('toDay', '>=', dayAfter(reader.today, -assignmentsListedDays))
    .distinct()
    .execute();
  const uids = [...new Set([...shares, ...notes, ...assigned].map(({ uid }) => uid))];
  if (uids.length === 0) return [];
  const patients = await database
    .selectFrom('users')
    .select(['id', 'displayName'])
    .where('id', 'in', uids)
    .orderBy('searchKey')
    .orderBy('id')
    .execute();
  return patients.map(({ id, displayName }) => ({
    ...{ uid: id, displayName },
    shares: shares.flatMap(({ uid, scope }) => (uid === id ? scope : [])),
    showsNote: notes.some(({ uid }) => uid === id),
    hasAssignments: assigned.some(({ uid }) => uid === id),
  }));
}

/** Like `listSharedDiaries`, for one patient. @throws AppError `documents/not-found` */
export async function getSharedDiary(database: Database, { uid, ...reader }: Reading): Promise<SharedDiary> {
  const diary = (await listSharedDiaries(database, reader)).find((one) => one.uid === uid);
  if (!diary) throw new AppError('documents/not-found');
  return diary;
}

/**
 * Reads the granted parts of a patient's entries, newest day first, and notes the read in the access log. The
 * parts that several shares grant are combined.
 * @param query the days; `next` of the response is the `to` of the next page
 * @throws AppError `documents/not-found` without a share
 */
export async function readSharedEntries(
  { database, diaryMasterKey }: SharedContext,
  { uid, clinician, today }: Reading,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<SharedEntries> {
  return database.transaction().execute(async (transaction) => {
    const shares = await readValidShares(transaction, clinician.uid, uid);
    if (shares.length === 0) throw new AppError('documents/not-found');
    const { days, next } = await choosePage(transaction, uid, shares, query);
    const [newest = ''] = days;
    const read = { from: next === null ? (query.from ?? '') : (days.at(-1) ?? ''), to: query.to ?? '9999' };
    // The log names no day in the future, unless an entry has it.
    const latest = newest > today ? newest : today;
    for (const { id, scope } of shares) {
      const from = laterOf(scope.from, read.from);
      const to = [scope.to, read.to, latest].reduce(earlierOf);
      if (from <= to)
        await noteRead(transaction, { uid, clinician }, { what: 'entries', shareId: id, from, to });
    }
    if (days.length === 0) return { entries: [], titles: {}, unreadable: [], next };
    const range = { from: days.at(-1) ?? '', to: newest };
    const items = await readEntries({ database: transaction, diaryMasterKey }, uid, range);
    const granted = items.filter((item) => shares.some(({ scope }) => contains(scope, item))).toReversed();
    const entries = granted.flatMap((item) => ('unreadable' in item ? [] : partOf(item, shares)));
    const practices = entries.flatMap((entry) => entry.practices ?? []);
    return {
      entries,
      titles: Object.fromEntries(await titlesOf(transaction, [...new Set(practices)])),
      unreadable: granted.flatMap((item) => ('unreadable' in item ? item.day : [])),
      next,
    };
  });
}

/**
 * Reads the notes for consultations that the patient shows now, and notes the read in the access log.
 * @throws AppError `documents/not-found` if there is none
 */
export async function readShownNotes(
  { database, diaryMasterKey }: SharedContext,
  { uid, ...reader }: Reading,
): Promise<ShownNote[]> {
  return database.transaction().execute(async (transaction) => {
    const rows = await selectShownNotes(transaction, reader).where('uid', '=', uid).execute();
    if (rows.length === 0) throw new AppError('documents/not-found');
    const diary = await findDiary(transaction, diaryMasterKey, uid);
    for (const { day } of rows)
      await noteRead(
        transaction,
        { uid, clinician: reader.clinician },
        { what: 'note', shareId: null, from: day, to: day },
      );
    return rows.map((row) => ({
      ...{ id: row.id, day: row.day },
      answers: answersOf(diary && openContent(row, diary)),
    }));
  });
}

/** A note is shown until the end of the day after its day. */
const selectShownNotes = (database: Database, { clinician, today }: Reader) =>
  database
    .selectFrom('consultationNotes')
    .selectAll()
    .where('clinicianUid', '=', clinician.uid)
    .where('shownAt', 'is not', null)
    .where('day', '>=', dayAfter(today, -1))
    .orderBy('day')
    .orderBy('id');

/**
 * Chooses whole days with granted entries, newest first, until the page has enough entries.
 * @returns `next`: the newest day of the next page
 */
async function choosePage(
  transaction: Database,
  uid: string,
  shares: ValidShare[],
  { from = '', to = '9999' }: { from?: string | undefined; to?: string | undefined },
): Promise<{ days: string[]; next: string | null }> {
  const rows = await transaction
    .selectFrom('diaryEntries')
    .select(['id', 'day'])
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .where('day', '>=', shares.map(({ scope }) => scope.from).reduce(earlierOf))
    .where('day', '<=', shares.map(({ scope }) => scope.to).reduce(laterOf))
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day', 'desc')
    .execute();
  const days: string[] = [];
  let count = 0;
  for (const { id, day } of rows) {
    if (day === null || !shares.some(({ scope }) => contains(scope, { id, day }))) continue;
    if (days.at(-1) !== day) {
      if (count >= limits.diaryPageMaxItems) return { days, next: day };
      days.push(day);
    }
    count += 1;
  }
  return { days, next: null };
}

export const earlierOf = (a: string, b: string) => (a < b ? a : b);
export const laterOf = (a: string, b: string) => (a > b ? a : b);

const contains = ({ from, to, entryId }: ShareScope, { id, day }: { id: string; day: string }) =>
  from <= day && day <= to && (entryId === undefined || entryId === id);

/** The union of what the shares grant of an entry. */
function partOf(entry: DiaryEntry, shares: ValidShare[]) {
  const parts = shares.flatMap(({ scope }) => grantedPart(entry, scope) ?? []);
  const [first] = parts;
  return first ? (Object.assign({}, first, ...parts) as typeof first) : [];
}

/** Stores a read in the patient's access log. Call it before the response. */
export async function noteRead(
  transaction: Database,
  { uid, clinician }: { uid: string; clinician: Clinician },
  { what, shareId, from, to }: { what: DiaryRead['what']; shareId: string | null; from: string; to: string },
): Promise<void> {
  await transaction
    .insertInto('diaryReads')
    .values({
      ...{ id: randomUUID(), uid, at: Date.now(), what, shareId, fromDay: from, toDay: to },
      ...{ clinicianUid: clinician.uid, clinicianName: clinician.name, crm: clinician.crm },
    })
    .execute();
}

function answersOf(content: NoteContent | undefined): ShownNote['answers'] {
  if (!content) return null;
  return content.questions.map((question, place) => ({ question, answer: content.answers[place] ?? '' }));
}
