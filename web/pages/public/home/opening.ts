import { clockOf } from '#contract/site/clock.ts';
import { finishedHours, minutesPerDay, type Span, spanOf } from '#contract/site/hours.ts';
import type { ClosedDays, Schedule } from '#contract/site/schedule.ts';
import { dateName, hourName, weekdayNames } from './hours.ts';

type LocalSchedule = Omit<Schedule, 'timeZone'> & { timeZone: string };

/** Whether the clinic is open. Times are minutes since the present day began in the clinic's time zone. */
export type OpenStatus =
  /** `closes` is absent if the clinic is open for the next 24 hours. */
  | { isOpen: true; closes?: number }
  /** `date` is the day on which it opens again, as `YYYY-MM-DD`. */
  | { isOpen: false; opens: number; date: string };

/** How far ahead the next opening is looked for. */
const mostDays = 120;

/**
 * Says whether the clinic is open, and when it closes or opens next. It compares local times in the clinic's
 * time zone, so it is also correct for visitors in other time zones and in summer time.
 * @returns undefined if the schedule is empty, or the clinic is closed for months
 */
export function openingAt(schedule: LocalSchedule, now: Date): OpenStatus | undefined {
  const { date, minute } = clockOf(schedule.timeZone, now);
  // Yesterday's hours can pass midnight.
  const days = Array.from({ length: mostDays }, (_, index) => index - 1);
  const spans = joined(days.flatMap((day) => spansOn(schedule, dateAfter(date, day), day)));
  const next = spans.find(({ to }) => to > minute);
  if (!next) return undefined;
  if (next.from <= minute)
    return { isOpen: true, ...(next.to < minute + minutesPerDay && { closes: next.to }) };
  return {
    isOpen: false,
    opens: next.from,
    date: dateAfter(date, Math.floor(next.from / minutesPerDay)),
  };
}

/** Describes an opening to visitors, in Portuguese. */
export function openingSentence(opening: OpenStatus): string {
  if (opening.isOpen)
    return opening.closes === undefined
      ? 'Estamos atendendo agora.'
      : `Estamos atendendo agora, até ${hourName(opening.closes, 'meia-noite')}.`;
  const { opens, date } = opening;
  const inDays = Math.floor(opens / minutesPerDay);
  const [inThe, dayName] = weekdayNames[weekdayOf(date)];
  const next = inDays < 7 ? '' : inThe === 'na' ? 'próxima ' : 'próximo ';
  const day =
    ['hoje', 'amanhã'][inDays] ?? (inDays <= 7 ? `${inThe} ${next}${dayName}` : `em ${dateName(date)}`);
  const hour = Math.floor((opens % minutesPerDay) / 60);
  return `Agora estamos fechados; respondemos ${day} ${hour === 1 ? 'à' : 'às'} ${hourName(opens, '0h')}.`;
}

/** The closed days of the next weeks, and those of today. */
export function closuresNear({ timeZone, closed }: LocalSchedule, now: Date): ClosedDays[] {
  const { date } = clockOf(timeZone, now);
  return closed
    .filter(({ from, until }) => from !== '' && (until || from) >= date && from <= dateAfter(date, 60))
    .sort((one, other) => (one.from < other.from ? -1 : 1));
}

/** The hours of one date. Closed days have none; those of the day before may still end on them. */
function spansOn({ days, closed }: LocalSchedule, date: string, day: number): Span[] {
  if (closed.some(({ from, until }) => from !== '' && from <= date && date <= (until || from))) return [];
  const weekday = weekdayOf(date);
  return finishedHours(days)
    .filter(({ weekdays }) => weekdays.includes(weekday))
    .map((hours) => spanOf(hours, day));
}

/** Sorts spans, and joins those without a pause between them. */
function joined(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.sort((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push(span);
  }
  return result;
}

const utcOf = (date: string) => new Date(`${date}T00:00:00Z`);

/** @param date `YYYY-MM-DD`, as the result */
function dateAfter(date: string, days: number): string {
  const day = utcOf(date);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

const weekdayOf = (date: string) =>
  (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[utcOf(date).getUTCDay() as 0];
