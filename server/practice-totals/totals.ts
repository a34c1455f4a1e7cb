import {
  leastShownCount,
  type PracticeEvent,
  type PracticeTotals,
  practiceEvents,
} from '#contract/practices/totals.ts';
import type { Database } from '../database/connect.ts';
import { withoutSync } from '../database/without-sync.ts';
import { monthBefore, monthOf } from './months.ts';

/**
 * The number of whole months that are kept besides the current one. They allow a comparison of the last whole
 * month with the same month a year before.
 */
const monthsKept = 13;

/**
 * Returns the statement that adds one use to the totals of a month. The statement does nothing if no public
 * activity has this id. It is a single statement, so that concurrent uses are all counted.
 */
export const addUse = (database: Database, { id, event }: PracticeEvent, month: string) =>
  database
    .insertInto('practiceTotals')
    .columns(['activityId', 'month', ...practiceEvents])
    .expression((query) =>
      query
        .selectFrom('activities')
        .select((row) => [
          'id',
          row.val(month).as('month'),
          // Literals, because PostgreSQL would treat a parameter as text.
          ...practiceEvents.map((counted) => row.lit(counted === event ? 1 : 0).as(counted)),
        ])
        .where('id', '=', id)
        .where('visibility', '=', 'public'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['month', 'activityId'])
        .doUpdateSet((row) => ({ [event]: row(`practiceTotals.${event}`, '+', 1) })),
    );

/** Counts one use of an activity in the current month. */
export async function countUse(database: Database, use: PracticeEvent, now = Date.now()): Promise<void> {
  // Losing the last uses in a power cut is better than an fsync for each of them.
  await withoutSync(() => addUse(database, use, monthOf(now)).execute());
}

/** Reads the counts of a month, without those below `leastShownCount`. */
export async function readTotals(
  database: Database,
  wanted: string | undefined,
  now = Date.now(),
): Promise<Omit<PracticeTotals, 'counting'>> {
  const current = monthOf(now);
  const month = wanted ?? current;
  const rows = await shownRows(database)
    .leftJoin('activities', 'activities.id', 'practiceTotals.activityId')
    .select(['activityId', 'activities.title', 'activities.axis', ...practiceEvents])
    .where('month', '=', month)
    .execute();
  const known = await shownRows(database).select('month').distinct().execute();
  const months = new Set([current, ...known.map((row) => row.month)]);
  const practices = rows.map(({ activityId: id, title, axis, opened, played, finished }) => ({
    ...{ id, title, axis },
    ...{ opened: shown(opened), played: shown(played), finished: shown(finished) },
  }));
  return { month, months: [...months].sort().reverse(), practices: practices.sort(byUse) };
}

/** Deletes the totals of all months that are older than `monthsKept`. */
export async function deleteOldTotals(database: Database, now = Date.now()): Promise<void> {
  await database
    .deleteFrom('practiceTotals')
    .where('month', '<', monthBefore(monthOf(now), monthsKept))
    .execute();
}

/**
 * Selects the rows that have at least one count that is large enough to show. Any other row would reveal that
 * one to four visitors used the activity.
 */
const shownRows = (database: Database) =>
  database
    .selectFrom('practiceTotals')
    .where((row) => row.or(practiceEvents.map((event) => row(event, '>=', leastShownCount))));

const shown = (count: number) => (count < leastShownCount ? null : count);

type Practice = PracticeTotals['practices'][number];

/** Compares only the counts that are shown, because otherwise the order would reveal the hidden counts. */
const byUse = (one: Practice, other: Practice) =>
  practiceEvents
    .map((event) => (other[event] ?? 0) - (one[event] ?? 0))
    .find((difference) => difference !== 0) ?? (one.title ?? '').localeCompare(other.title ?? '', 'pt-BR');
