import { dayAfter } from '#contract/calendar.ts';
import {
  type ConsultationNote,
  lastShownDay,
  type NoteChange,
  type NoteContent,
  type NoteItem,
  noteContent,
} from '#contract/diary/share.ts';
import { limits } from '#contract/limits.ts';
import { isVisible } from '#contract/text.ts';
import { noteDeletion, wasDeletionNoted } from '../../backup/deletions.ts';
import type { AppContext } from '../../context.ts';
import type { Database, Tables } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';
import { lockUser } from '../../users/users.ts';
import { type Key, open, seal, Unopenable } from '../keys/sealing.ts';
import { type Diary, findDiary, openDiary } from '../keys/user-key.ts';
import { requireClinician } from './valid-shares.ts';

type NoteContext = Pick<AppContext, 'database' | 'databaseKind' | 'diaryMasterKey'> & {
  /** The current day in the clinic's time zone. */
  today: string;
};
type Row = Tables['consultationNotes'];

/** A consultation is at most this many days ahead. */
const latestDays = 366;

const aboutNote = (uid: string, id: string, keyVersion: number) => [
  ...['consultationNotes', uid, id, keyVersion],
];

/** Reads a patient's notes, the latest consultation first. */
export async function listNotes(
  { database, diaryMasterKey, today }: Omit<NoteContext, 'databaseKind'>,
  uid: string,
): Promise<NoteItem[]> {
  const diary = await findDiary(database, diaryMasterKey, uid);
  if (!diary) return [];
  const rows = await database
    .selectFrom('consultationNotes')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('day', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => noteOf(row, diary, today));
}

/**
 * Stores a note, or a change of a note. A repeated request changes nothing. If the change names another
 * clinician or day, the note is closed.
 * @returns `isNew` if the note was created by this call
 * @throws AppError `request/invalid`; `documents/clinician-unavailable`; `documents/too-many-notes`;
 * `documents/not-found` if the note was deleted; `documents/note-changed` with the stored note if it has
 * changed since the patient saw it; `documents/diary-entry-unreadable`
 */
export async function saveNote(
  context: NoteContext,
  { uid, id, change }: { uid: string; id: string; change: NoteChange },
  now = Date.now(),
): Promise<{ note: NoteItem; isNew: boolean }> {
  const { base, clinicianUid, day, questions, answers } = change;
  if (!answers.some(isVisible)) throw invalid('answers', 'Escreva pelo menos uma resposta.');
  return changeNotes(context, uid, async (transaction, diary) => {
    const row = await findRow(transaction, uid, id);
    if (!row) {
      if (base > 0 || (await wasDeletionNoted(transaction, deletedNoteId(uid, id))))
        throw new AppError('documents/not-found');
      await requireRoom(transaction, uid);
    }
    const before = row && requireReadable(row, diary, context.today);
    const isSame = before?.clinicianUid === clinicianUid && before.day === day;
    if (before && isSame && JSON.stringify(contentOf(before)) === JSON.stringify({ questions, answers }))
      return { note: before, isNew: false };
    if (before && before.revision !== base) throw new AppError('documents/note-changed', { current: before });
    if (before?.clinicianUid !== clinicianUid) await requireOther(context, transaction, uid, clinicianUid);
    if (before?.day !== day) requireDay(day, context.today);
    const next: Row = {
      ...{ uid, id, clinicianUid, day, revision: base + 1 },
      shownAt: isSame ? before.shownAt : null,
      createdAt: row ? Number(row.createdAt) : now,
      sealed: sealContent(diary, uid, id, { questions, answers }),
    };
    await transaction
      .insertInto('consultationNotes')
      .values(next)
      .onConflict((conflict) => conflict.columns(['uid', 'id']).doUpdateSet(next))
      .execute();
    return { note: noteOf(next, diary, context.today), isNew: !row };
  });
}

/**
 * Shows a note to its clinician, until the end of the day after the consultation.
 * @param base the revision that the patient saw
 * @throws AppError `documents/not-found`; `documents/note-changed` with the stored note; `request/invalid`
 * if the day is over; `documents/clinician-unavailable`; `documents/diary-entry-unreadable`
 */
export async function showNote(
  context: NoteContext,
  { uid, id, base }: { uid: string; id: string; base: number },
  now = Date.now(),
): Promise<NoteItem> {
  return changeNotes(context, uid, async (transaction, diary) => {
    const row = await findRow(transaction, uid, id);
    if (!row) throw new AppError('documents/not-found');
    const note = requireReadable(row, diary, context.today);
    // The response to the same request was lost.
    if (note.shownAt !== null && note.revision === base + 1) return note;
    if (note.revision !== base) throw new AppError('documents/note-changed', { current: note });
    if (note.shownAt !== null) return note;
    if (lastShownDay(note.day) < context.today) throw invalid('day', 'Este dia já passou. Escolha outro.');
    await requireOther(context, transaction, uid, note.clinicianUid);
    return noteOf(await setShown(transaction, row, now), diary, context.today);
  });
}

/** Closes a note: its clinician cannot read it any more. @throws AppError `documents/not-found` */
export async function closeNote(context: NoteContext, uid: string, id: string): Promise<NoteItem> {
  return changeNotes(context, uid, async (transaction, diary) => {
    const row = await findRow(transaction, uid, id);
    if (!row) throw new AppError('documents/not-found');
    const closed = row.shownAt === null ? row : await setShown(transaction, row, null);
    return noteOf(closed, diary, context.today);
  });
}

/** Deletes a note for ever. */
export async function deleteNote(
  { database, databaseKind }: Pick<NoteContext, 'database' | 'databaseKind'>,
  uid: string,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    await destroyNote(transaction, uid, id);
  });
}

/** Deletes again what a restored backup has brought back. @param wasDeleted see backup/deletions.ts */
export async function deleteNotesAgain(
  database: Database,
  wasDeleted: (id: string) => boolean,
): Promise<void> {
  const rows = await database.selectFrom('consultationNotes').select(['uid', 'id']).execute();
  for (const { uid, id } of rows)
    if (wasDeleted(deletedNoteId(uid, id))) await destroyNote(database, uid, id);
}

async function destroyNote(transaction: Database, uid: string, id: string): Promise<void> {
  const deleted = await transaction
    .deleteFrom('consultationNotes')
    .where('uid', '=', uid)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (deleted) await noteDeletion(transaction, deletedNoteId(uid, id));
}

/** Converts a row. A note whose time is over is closed. */
function noteOf(row: Row, diary: Diary, today: string): NoteItem {
  const { id, clinicianUid, day } = row;
  const shownAt = row.shownAt === null || lastShownDay(day) < today ? null : Number(row.shownAt);
  const stored = { id, clinicianUid, day, revision: Number(row.revision), shownAt };
  const content = openContent(row, diary);
  return content ? { ...stored, ...content } : { ...stored, unreadable: true };
}

const deletedNoteId = (uid: string, id: string) => `consultation note ${uid} ${id}`;

/** Does `work` in a transaction that has locked the user. */
async function changeNotes<Result>(
  { database, databaseKind, diaryMasterKey }: NoteContext,
  uid: string,
  work: (transaction: Database, diary: Diary & { key: Key }) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    return work(transaction, await openDiary(transaction, diaryMasterKey, uid));
  });
}

async function findRow(database: Database, uid: string, id: string): Promise<Row | undefined> {
  return database
    .selectFrom('consultationNotes')
    .selectAll()
    .where('uid', '=', uid)
    .where('id', '=', id)
    .executeTakeFirst();
}

async function setShown(transaction: Database, row: Row, shownAt: number | null): Promise<Row> {
  const changed = { shownAt, revision: Number(row.revision) + 1 };
  await transaction
    .updateTable('consultationNotes')
    .set(changed)
    .where('uid', '=', row.uid)
    .where('id', '=', row.id)
    .execute();
  return { ...row, ...changed };
}

/** @throws AppError `documents/diary-entry-unreadable` */
function requireReadable(row: Row, diary: Diary, today: string): ConsultationNote {
  const note = noteOf(row, diary, today);
  if ('unreadable' in note) throw new AppError('documents/diary-entry-unreadable');
  return note;
}

/** @throws AppError `documents/clinician-unavailable`, also for the patient's own account */
async function requireOther(
  { databaseKind }: NoteContext,
  transaction: Database,
  uid: string,
  clinicianUid: string,
): Promise<void> {
  if (clinicianUid === uid) throw new AppError('documents/clinician-unavailable');
  await requireClinician(transaction, databaseKind, clinicianUid);
}

/** @throws AppError `request/invalid` */
function requireDay(day: string, today: string): void {
  // In the patient's time zone, it can still be yesterday.
  if (day < dayAfter(today, -1) || day > dayAfter(today, latestDays))
    throw invalid('day', 'Escolha um dia, de hoje a um ano.');
}

/** @throws AppError `documents/too-many-notes` */
async function requireRoom(transaction: Database, uid: string): Promise<void> {
  const { count } = await transaction
    .selectFrom('consultationNotes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limits.consultationNotesMaxItems) throw new AppError('documents/too-many-notes');
}

const contentOf = ({ questions, answers }: NoteContent): NoteContent => ({ questions, answers });

function sealContent(diary: Diary & { key: Key }, uid: string, id: string, content: NoteContent): string {
  const data = Buffer.from(JSON.stringify(content));
  return seal(diary.key, data, aboutNote(uid, id, diary.keyVersion));
}

/** Opens the questions and answers of a note. @returns undefined if the stored content is damaged */
export function openContent({ uid, id, sealed }: Row, { key, keyVersion }: Diary): NoteContent | undefined {
  if (!key || key === 'damaged') return undefined;
  try {
    return noteContent.parse(JSON.parse(open(key, sealed, aboutNote(uid, id, keyVersion)).toString()));
  } catch (error) {
    if (error instanceof Unopenable) return undefined;
    throw error;
  }
}

const invalid = (path: string, message: string) =>
  new AppError('request/invalid', { message, issues: [{ path, message }] });
