import { dayAfter } from '#contract/calendar.ts';
import type { Clinician } from '#contract/diary/share.ts';
import {
  earliestToday,
  type NewAssignment,
  type PatientAssignment,
  type PatientAssignments,
} from '#contract/diary/week.ts';
import { limits } from '#contract/limits.ts';
import type { AppContext } from '../../context.ts';
import type { Database, Tables } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';
import { getUser, lockUser } from '../../users/users.ts';
import { type Key, open, seal, Unopenable } from '../keys/sealing.ts';
import { titlesOf } from '../read-entries.ts';
import { earlierOf, laterOf, noteRead } from '../sharing/shared-diaries.ts';
import { readValidShares, requireClinician } from '../sharing/valid-shares.ts';

type AssignmentContext = Pick<AppContext, 'database' | 'databaseKind' | 'diaryMasterKey'>;
type Row = Tables['assignments'];

/** The master key seals messages, because a patient without a diary has no key (docs/diary.md). */
const aboutMessage = ({ uid, id }: Pick<Row, 'uid' | 'id'>) => ['assignments', uid, id];

/**
 * Proposes a public practice to a user. A repeated request changes nothing.
 * @param today the day in the clinic's time zone, in which an assignment ends for the clinician
 * @throws AppError `documents/not-found` if there is no such user; `request/invalid`;
 * `documents/clinician-unavailable`; `documents/too-many-assignments`
 */
export async function proposeAssignment(
  { database, databaseKind, diaryMasterKey }: AssignmentContext,
  {
    uid,
    clinicianUid,
    today,
    input,
  }: { uid: string; clinicianUid: string; today: string; input: NewAssignment },
  now = Date.now(),
): Promise<void> {
  const { message, ...fields } = input;
  await database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    await getUser(transaction, uid);
    const stored = await selectAssignments(transaction, uid)
      .where('id', '=', fields.id)
      .where('clinicianUid', '=', clinicianUid)
      .executeTakeFirst();
    if (stored) return;
    if (uid === clinicianUid) throw invalid('uid', 'Escolha outra pessoa.');
    const { name } = await requireClinician(transaction, databaseKind, clinicianUid);
    const title = (await titlesOf(transaction, [fields.activityId])).get(fields.activityId);
    if (title === undefined) throw invalid('activityId', 'Escolha uma prática da biblioteca.');
    const earliest = earliestToday(now);
    if (fields.fromDay < earliest || fields.fromDay > dayAfter(earliest, limits.assignmentMaxDays + 1))
      throw invalid('fromDay', 'Escolha um começo nas próximas quatro semanas.');
    await requireRoom(transaction, uid, today);
    const sealed =
      message === ''
        ? null
        : seal(diaryMasterKey, Buffer.from(message), aboutMessage({ uid, id: fields.id }));
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('assignments')
      .values({
        ...{ ...fields, uid, clinicianUid, clinicianName: name, title, sealed },
        ...{ skippedWeeks: '[]', createdAt: now, withdrawnAt: null },
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    // Another patient has an assignment with this id, perhaps since this moment.
    if (numInsertedOrUpdatedRows === 0n) throw invalid('id', 'Este número já existe.');
  });
}

/** Withdraws an assignment of a clinician. @throws AppError `documents/not-found` */
export async function withdrawAssignment(
  database: Database,
  { uid, clinicianUid, id }: { uid: string; clinicianUid: string; id: string },
  now = Date.now(),
): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable('assignments')
    .set((row) => ({ withdrawnAt: row.fn.coalesce('withdrawnAt', row.val(now)) }))
    .where('id', '=', id)
    .where('uid', '=', uid)
    .where('clinicianUid', '=', clinicianUid)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new AppError('documents/not-found');
}

/**
 * Reads what a clinician has proposed to a patient. The answers of the patient are only those of the days
 * that a share with practices grants; such a read is in the patient's access log.
 * @param today the day in the clinic's time zone
 * @throws AppError `documents/not-found` if there is no such user
 */
export async function readPatientAssignments(
  { database, diaryMasterKey }: AssignmentContext,
  { uid, clinician, today }: { uid: string; clinician: Clinician; today: string },
): Promise<PatientAssignments> {
  return database.transaction().execute(async (transaction) => {
    await getUser(transaction, uid);
    const rows = await selectAssignments(transaction, uid)
      .where('clinicianUid', '=', clinician.uid)
      .execute();
    if (rows.length === 0) return { assignments: [], granted: [] };
    const answers = await readAnswers(transaction, rows);
    const first = rows.map(({ fromDay }) => fromDay).reduce(earlierOf);
    const last = rows.map(({ toDay }) => toDay).reduce(laterOf);
    // A day begins up to 14 hours earlier in other time zones.
    const latest = [...answers.map(({ day }) => day), today].reduce(laterOf);
    const granted: PatientAssignments['granted'] = [];
    for (const { id: shareId, scope } of await readValidShares(transaction, clinician.uid, uid)) {
      if (!scope.practices || scope.entryId !== undefined) continue;
      const [from, to] = [laterOf(scope.from, first), [scope.to, last, latest].reduce(earlierOf)];
      if (from > to) continue;
      await noteRead(transaction, { uid, clinician }, { what: 'week', shareId, from, to });
      granted.push({ from, to });
    }
    const isGranted = (day: string) => granted.some(({ from, to }) => from <= day && day <= to);
    const publicIds = await titlesOf(
      transaction,
      rows.map(({ activityId }) => activityId),
    );
    return {
      assignments: rows.map((row) => ({
        ...assignmentOf(row, diaryMasterKey, publicIds),
        days: answers.flatMap(({ assignmentId, day, state }) =>
          assignmentId === row.id && isGranted(day) ? { day, state } : [],
        ),
      })),
      granted,
    };
  });
}

/** The assignments of a patient, the newest first. */
export const selectAssignments = (database: Database, uid: string) =>
  database
    .selectFrom('assignments')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('toDay', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id');

export async function readAnswers(
  database: Database,
  rows: readonly Pick<Row, 'id'>[],
): Promise<Tables['assignmentDays'][]> {
  if (rows.length === 0) return [];
  return database
    .selectFrom('assignmentDays')
    .selectAll()
    .where(
      'assignmentId',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('day')
    .execute();
}

/** @param publicIds the public practices */
export function assignmentOf(
  row: Row,
  masterKey: Key,
  publicIds: ReadonlyMap<string, unknown>,
): Omit<PatientAssignment, 'days'> {
  const { id, activityId, title, fromDay, toDay, withdrawnAt } = row;
  return {
    ...{ id, activityId, title, isPublic: publicIds.has(activityId), message: messageOf(row, masterKey) },
    ...{ fromDay, toDay, timesPerWeek: Number(row.timesPerWeek), createdAt: Number(row.createdAt) },
    withdrawnAt: withdrawnAt === null ? null : Number(withdrawnAt),
  };
}

/** @returns null if the stored message is damaged */
function messageOf(row: Pick<Row, 'uid' | 'id' | 'sealed'>, masterKey: Key): string | null {
  if (row.sealed === null) return '';
  try {
    return open(masterKey, row.sealed, aboutMessage(row)).toString();
  } catch (error) {
    if (error instanceof Unopenable) return null;
    throw error;
  }
}

/** Seals all messages with another master key. Damaged messages stay as they are. */
export async function sealMessagesAgain(transaction: Database, from: Key, to: Key): Promise<void> {
  const rows = await transaction
    .selectFrom('assignments')
    .select(['uid', 'id', 'sealed'])
    .where('sealed', 'is not', null)
    .execute();
  for (const row of rows) {
    const message = messageOf(row, from);
    if (message === null) continue;
    await transaction
      .updateTable('assignments')
      .set({ sealed: seal(to, Buffer.from(message), aboutMessage(row)) })
      .where('id', '=', row.id)
      .execute();
  }
}

/** Deletes all messages, of an installation that has lost its master key. */
export async function forgetMessages(transaction: Database): Promise<void> {
  await transaction.updateTable('assignments').set({ sealed: null }).execute();
}

/** @throws AppError `documents/too-many-assignments` */
async function requireRoom(transaction: Database, uid: string, today: string): Promise<void> {
  const { count } = await transaction
    .selectFrom('assignments')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .where('withdrawnAt', 'is', null)
    .where('toDay', '>=', today)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limits.assignmentsMaxOpen) throw new AppError('documents/too-many-assignments');
}

const invalid = (path: string, message: string) =>
  new AppError('request/invalid', { message, issues: [{ path, message }] });
