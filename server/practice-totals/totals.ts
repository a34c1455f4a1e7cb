import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { dayInBrasilia } from '#contract/calendar.ts';
import { paths } from '#contract/paths.ts';
import {
  countStep,
  type PracticeEvent,
  type PracticeTotals,
  practiceEvent,
  practiceEvents,
  practiceTotalsQuery,
  surelyShownCount,
} from '#contract/practices/totals.ts';
import { limitAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { withoutSync } from '../database/log-sync.ts';
import { networkOf } from '../http/networks.ts';
import { parse } from '../http/parse.ts';
import { sendDocument } from '../http/send-document.ts';

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

/** Each takes about 100 bytes of memory. */
const mostRemembered = 100_000;

/**
 * Remembers until midnight which network has sent which event, so that a visitor counts once a day. It stores
 * nothing: the digests are in memory, and so is their key, which is random for each day. Each instance has
 * its own.
 */
export function createUsesOfToday() {
  let today = '';
  let key = randomBytes(32);
  const digests = new Set<string>();
  return {
    /** Returns false if it remembers this use; else remembers it. */
    add(network: string, { id, event }: PracticeEvent, now = Date.now()): boolean {
      if (dayInBrasilia(now) !== today) {
        today = dayInBrasilia(now);
        key = randomBytes(32);
        digests.clear();
      }
      const digest = createHmac('sha256', key).update(`${network} ${event} ${id}`).digest('base64url');
      if (digests.has(digest)) return false;
      const [oldest = ''] = digests;
      if (digests.size >= mostRemembered) digests.delete(oldest);
      digests.add(digest);
      return true;
    },
  };
}

/** Reads the counts of a month that are large enough to show, rounded. */
async function readTotals(
  { database, authSecret }: Pick<AppContext, 'database' | 'authSecret'>,
  wanted: string | undefined,
  now = Date.now(),
): Promise<Omit<PracticeTotals, 'counting'>> {
  const current = monthOf(now);
  const month = wanted ?? current;
  const rows = await rowsFrom(database, countStep)
    .leftJoin('activities', 'activities.id', 'practiceTotals.activityId')
    .select(['activityId', 'activities.title', 'activities.axis', ...practiceEvents])
    .where('month', '=', month)
    .execute();
  const known = await rowsFrom(database, surelyShownCount).select('month').distinct().execute();
  const months = new Set([current, ...known.map((row) => row.month)]);
  const practices = rows.map(({ activityId: id, title, axis, ...counts }) => {
    const [opened, played, finished] = shownCounts(authSecret, `${month} ${id}`, counts);
    return { id, title, axis, opened, played, finished };
  });
  return {
    month,
    months: [...months].sort().reverse(),
    practices: practices.filter((one) => practiceEvents.some((event) => one[event] !== null)).sort(byUse),
  };
}

/** Deletes the totals of all months that are older than `monthsKept`. */
export async function deleteOldTotals(database: Database, now = Date.now()): Promise<void> {
  await database
    .deleteFrom('practiceTotals')
    .where('month', '<', monthBefore(monthOf(now), monthsKept))
    .execute();
}

/** Selects the rows that have a count of at least `least`. */
const rowsFrom = (database: Database, least: number) =>
  database
    .selectFrom('practiceTotals')
    .where((row) => row.or(practiceEvents.map((event) => row(event, '>=', least))));

/**
 * Rounds the counts of a row down to multiples of `countStep`, and hides small ones. Before, it subtracts a
 * secret number that is fixed for each count. Otherwise someone who adds uses until the shown number changes
 * would learn the exact count before, and with it perhaps what one visitor did.
 */
function shownCounts(
  authSecret: string,
  row: string,
  counts: Record<PracticeEvent['event'], number>,
): [number | null, number | null, number | null] {
  const secret = createHmac('sha256', authSecret).update(`practice totals ${row}`).digest();
  const [opened = null, played = null, finished = null] = practiceEvents.map((event, place) => {
    const steps = Math.floor((counts[event] - ((secret[place] ?? 0) % countStep)) / countStep);
    return steps < 1 ? null : steps * countStep;
  });
  return [opened, played, finished];
}

type Practice = PracticeTotals['practices'][number];

/** Compares only the counts that are shown, because otherwise the order would reveal the hidden counts. */
const byUse = (one: Practice, other: Practice) =>
  practiceEvents
    .map((event) => (other[event] ?? 0) - (one[event] ?? 0))
    .find((difference) => difference !== 0) ?? (one.title ?? '').localeCompare(other.title ?? '', 'pt-BR');

/** Formats months in the time zone of Brasília. The locale en-CA writes a month as `2026-11`. */
const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
});

/** Returns the month of a time in epoch milliseconds, such as `2026-11`. */
const monthOf = (time: number): string => calendar.format(time);

/** Returns the month that is `count` months before another one. */
function monthBefore(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - count)).toISOString().slice(0, 'yyyy-mm'.length);
}

/** Registers the routes of the anonymous totals: count one use of a practice, and read a month's totals. */
export async function practiceTotalsRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database, siteContent } = context;
  const usesOfToday = createUsesOfToday();
  const isCounting = async () => (await siteContent.read()).content.practices.countsUse;

  app.post(paths.documents.practiceEvents, async (request, reply) => {
    const use = parse(practiceEvent, request.body);
    const network = networkOf(request.ip);
    await limitAttempts(context, ['practiceEventsByAddress', network]);
    if ((await isCounting()) && usesOfToday.add(network, use)) await countUse(database, use);
    return reply.header('cache-control', 'no-store').code(204).send();
  });

  app.get(paths.documents.practiceTotals, async (request, reply) => {
    const { month } = parse(practiceTotalsQuery, request.query);
    const totals = await readTotals(context, month);
    return sendDocument(request, reply, { counting: await isCounting(), ...totals });
  });
}
