import * as z from 'zod/mini';
import { dateOf, dayMs, mondayOf } from '../calendar.ts';
import { limits } from '../limits.ts';
import { plainText } from '../text.ts';
import { day, entryId } from './entry.ts';

const hourMs = 60 * 60_000;

/** A practice that a clinician proposes to a patient. The device makes the id. */
export const newAssignment = z
  .strictObject({
    id: entryId,
    activityId: z.string('Escolha uma prática.').check(z.regex(/^[\w-]{1,64}$/, 'Escolha uma prática.')),
    fromDay: day,
    toDay: day,
    timesPerWeek: z.number().check(z.int(), z.gte(1), z.lte(7)),
    /** Empty if the clinician writes none. */
    message: z.string().check(z.trim(), z.maxLength(limits.assignmentMessageMaxLength), plainText),
  })
  .check(
    z.refine(
      // Also runs with texts that are no days, on which `dayAfter` would throw.
      ({ fromDay, toDay }) =>
        fromDay <= toDay && Date.parse(toDay) - Date.parse(fromDay) < limits.assignmentMaxDays * dayMs,
      { error: 'Escolha um fim até quatro semanas depois do começo.', path: ['toDay'] },
    ),
  );
export type NewAssignment = z.infer<typeof newAssignment>;

/** What the patient says about a day. A day without a state means nothing. */
export const dayStates = ['done', 'not-done'] as const;
export type DayState = (typeof dayStates)[number];

const answeredDays = z.array(z.object({ day, state: z.enum(dayStates) }));

/** A proposed practice. Times are epoch milliseconds. */
const assignment = z.object({
  id: entryId,
  activityId: z.string(),
  /** The title at the time of the proposal. */
  title: z.string(),
  /** False if the practice has left the library. */
  isPublic: z.boolean(),
  /** Empty if there is none; null if the stored message is damaged. */
  message: z.nullable(z.string()),
  fromDay: day,
  toDay: day,
  timesPerWeek: z.number(),
  createdAt: z.number(),
  withdrawnAt: z.nullable(z.number()),
});

/** An assignment as its patient sees it. */
export const weekAssignment = z.extend(assignment, {
  clinician: z.object({ uid: z.string(), name: z.string() }),
  days: answeredDays,
  /** The Mondays of the weeks that the patient has put aside. */
  skippedWeeks: z.array(day),
});
export type WeekAssignment = z.infer<typeof weekAssignment>;

/** The assignments that are not withdrawn, the newest first. */
export const week = z.object({ assignments: z.array(weekAssignment) });

/** The assignments of the signed-in clinician for one patient, the newest first. */
export const patientAssignments = z.object({
  assignments: z.array(
    z.extend(assignment, {
      /** Only days in `granted`. */
      days: answeredDays,
    }),
  ),
  /** The days whose states the patient shows. */
  granted: z.array(z.object({ from: day, to: day })),
});
export type PatientAssignments = z.infer<typeof patientAssignments>;
export type PatientAssignment = PatientAssignments['assignments'][number];

export const assignmentPath = z.object({ id: entryId });
export const assignmentDayPath = z.strictObject({ id: entryId, day });
export const assignmentDayInput = z.strictObject({ state: z.nullable(z.enum(dayStates)) });
export const assignmentWeekPath = z.strictObject({
  id: entryId,
  monday: day.check(z.refine((one) => new Date(one).getUTCDay() === 1, 'A semana começa na segunda-feira.')),
});
export const assignmentWeekInput = z.strictObject({ skipped: z.boolean() });

/** Returns the day that a patient may still have, in the last time zone. */
export const earliestToday = (now: number): string => dateOf(now - 12 * hourMs);

/**
 * Returns the days that a patient can answer: from the Monday of the current week until today, in whatever
 * time zone the patient is.
 */
export const answerableDays = (now: number): { from: string; to: string } => ({
  from: mondayOf(earliestToday(now)),
  to: dateOf(now + 14 * hourMs),
});
