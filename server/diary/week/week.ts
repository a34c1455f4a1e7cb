import * as z from 'zod/mini';
import { dayAfter, mondayOf } from '#contract/calendar.ts';
import { answerableDays, type DayState, type WeekAssignment } from '#contract/diary/week.ts';
import type { AppContext } from '../../context.ts';
import type { Database, Tables } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';
import { lockUser } from '../../users/users.ts';
import { titlesOf } from '../read-entries.ts';
import { assignmentOf, readAnswers, selectAssignments } from './assignments.ts';

type WeekContext = Pick<AppContext, 'database' | 'databaseKind'>;
type Row = Tables['assignments'];

/** Reads what clinicians have proposed to a patient, the newest first, also what they have withdrawn. */
export async function listAssignments(
  { database, diaryMasterKey }: Pick<AppContext, 'database' | 'diaryMasterKey'>,
  uid: string,
): Promise<WeekAssignment[]> {
  const rows = await selectAssignments(database, uid).execute();
  const answers = await readAnswers(database, rows);
  const publicIds = await titlesOf(
    database,
    rows.map(({ activityId }) => activityId),
  );
  return rows.map((row) => ({
    ...assignmentOf(row, diaryMasterKey, publicIds),
    clinician: { uid: row.clinicianUid, name: row.clinicianName },
    days: answers.flatMap(({ assignmentId, day, state }) => (assignmentId === row.id ? { day, state } : [])),
    skippedWeeks: skippedWeeksOf(row),
  }));
}

/**
 * Stores what the patient says about a day, or takes it back.
 * @throws AppError `documents/not-found`, also after the assignment was withdrawn; `request/invalid` if the
 * week is over, or the day is not of the assignment
 */
export async function answerDay(
  context: WeekContext,
  { uid, id, day, state }: { uid: string; id: string; day: string; state: DayState | null },
  now = Date.now(),
): Promise<void> {
  await changeAssignment(context, { uid, id }, async (transaction, { fromDay, toDay }) => {
    if (day < fromDay || day > toDay) throw invalid('day', 'Este dia não é desta proposta.');
    const { from, to } = answerableDays(now);
    if (day < from || day > to) throw invalid('day', 'Só os dias desta semana, até hoje, podem mudar.');
    if (state === null)
      await transaction
        .deleteFrom('assignmentDays')
        .where('assignmentId', '=', id)
        .where('day', '=', day)
        .execute();
    else
      await transaction
        .insertInto('assignmentDays')
        .values({ assignmentId: id, day, state })
        .onConflict((conflict) => conflict.columns(['assignmentId', 'day']).doUpdateSet({ state }))
        .execute();
  });
}

/**
 * Puts the current week aside, or takes it back. What the patient has said about its days stays.
 * @throws AppError like `answerDay`
 */
export async function skipWeek(
  context: WeekContext,
  { uid, id, monday, skipped }: { uid: string; id: string; monday: string; skipped: boolean },
  now = Date.now(),
): Promise<void> {
  await changeAssignment(context, { uid, id }, async (transaction, row) => {
    if (dayAfter(monday, 6) < row.fromDay || monday > row.toDay)
      throw invalid('monday', 'Esta semana não é desta proposta.');
    const { from, to } = answerableDays(now);
    if (monday < from || monday > to) throw invalid('monday', 'Só esta semana pode mudar.');
    const others = skippedWeeksOf(row).filter((one) => one !== monday);
    const skippedWeeks = JSON.stringify(skipped ? [...others, monday].sort() : others);
    await transaction.updateTable('assignments').set({ skippedWeeks }).where('id', '=', id).execute();
  });
}

/** Does `work` in a transaction that has locked the user. @throws AppError `documents/not-found` */
async function changeAssignment(
  { database, databaseKind }: WeekContext,
  { uid, id }: { uid: string; id: string },
  work: (transaction: Database, row: Row) => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    const row = await selectAssignments(transaction, uid)
      .where('id', '=', id)
      .where('withdrawnAt', 'is', null)
      .executeTakeFirst();
    if (!row) throw new AppError('documents/not-found');
    await work(transaction, row);
  });
}

/**
 * True if the user has an assignment to do on a day: not withdrawn, not put aside for this week, not answered
 * on this day, and not yet done as often as proposed for this week.
 */
export async function hasOpenWork(database: Database, uid: string, day: string): Promise<boolean> {
  const monday = mondayOf(day);
  const rows = await selectAssignments(database, uid)
    .where('withdrawnAt', 'is', null)
    .where('fromDay', '<=', day)
    .where('toDay', '>=', day)
    .execute();
  const wanted = rows.filter((row) => !skippedWeeksOf(row).includes(monday));
  const answers = await readAnswers(database, wanted);
  return wanted.some(({ id, timesPerWeek }) => {
    const own = answers.filter((answer) => answer.assignmentId === id && mondayOf(answer.day) === monday);
    const done = own.filter(({ state }) => state === 'done').length;
    return done < timesPerWeek && own.every((answer) => answer.day !== day);
  });
}

const storedWeeks = z.array(z.string());
const skippedWeeksOf = ({ skippedWeeks }: Row) => storedWeeks.parse(JSON.parse(skippedWeeks));

const invalid = (path: string, message: string) =>
  new AppError('request/invalid', { message, issues: [{ path, message }] });
