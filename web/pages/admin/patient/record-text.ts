import { fullDate } from '#contract/calendar.ts';
import type { PatientAssignment, PatientAssignments } from '#contract/diary/week.ts';

/** Says how often: `3 vezes por semana`. */
export const timesOf = ({ timesPerWeek }: Pick<PatientAssignment, 'timesPerWeek'>) =>
  timesPerWeek === 1 ? 'uma vez por semana' : `${timesPerWeek} vezes por semana`;

/** Says from when until when. */
export const periodOf = (from: string, to: string) =>
  from === to ? fullDate(from) : `de ${fullDate(from)} a ${fullDate(to)}`;

/** Lists what the patient says, one line for each kind of answer. Days without an answer are left out. */
export function answersOf({ days }: Pick<PatientAssignment, 'days'>): string[] {
  const listed = (state: (typeof days)[number]['state']) =>
    days
      .filter((answer) => answer.state === state)
      .map(({ day }) => fullDate(day))
      .join('; ');
  const [done, notDone] = [listed('done'), listed('not-done')];
  return [...(done ? [`Fez: ${done}.`] : []), ...(notDone ? [`Disse que não: ${notDone}.`] : [])];
}

/** The assignments as plain text for the medical record: nothing of the diary, and no message. */
export const recordText = ({ assignments }: PatientAssignments): string =>
  [
    'Práticas propostas',
    ...assignments.flatMap((one) => [
      `${one.title}: ${timesOf(one)}, ${periodOf(one.fromDay, one.toDay)}${one.withdrawnAt === null ? '' : ' (retirada)'}.`,
      ...answersOf(one),
    ]),
  ].join('\n');
