import type { OpeningHours, Weekday } from '#contract/site/schedule.ts';

type Schedule = { timeZone: string; days: OpeningHours[] };
type Interval = Pick<OpeningHours, 'opens' | 'closes'>;

/** Whether the clinic is open, and when (`at`) it closes or opens next: `HH:MM` in the clinic's time zone. */
export type OpenStatus =
  | { isOpen: true; at: string }
  /** `inDays` is 0 for today, and 7 for the same weekday of the next week. */
  | { isOpen: false; at: string; inDays: number; weekday: Weekday };

const weekdays: Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const weekdayNames: Record<Weekday, ['na' | 'no', string]> = {
  sun: ['no', 'domingo'],
  mon: ['na', 'segunda'],
  tue: ['na', 'terça'],
  wed: ['na', 'quarta'],
  thu: ['na', 'quinta'],
  fri: ['na', 'sexta'],
  sat: ['no', 'sábado'],
};

/**
 * Says whether the clinic is open, and when it closes or opens next. It compares local times in the clinic's
 * time zone, so it is also correct for visitors in other time zones and in summer time. It ignores holidays.
 * @returns undefined if the schedule is empty
 */
export function openingAt({ timeZone, days }: Schedule, now: Date): OpenStatus | undefined {
  const { weekday: today, time } = clockOf(timeZone, now);
  const closes = closesAfter(intervalsOn(days, today), time);
  if (closes !== undefined) return { isOpen: true, at: closes };
  for (let inDays = 0; inDays <= 7; inDays += 1) {
    const weekday = weekdays[(weekdays.indexOf(today) + inDays) % 7] as Weekday;
    const next = intervalsOn(days, weekday).find(({ opens }) => inDays > 0 || opens > time);
    if (next) return { isOpen: false, at: next.opens, inDays, weekday };
  }
  return undefined;
}

/** Describes an opening to visitors, in Portuguese. */
export function openingSentence(opening: OpenStatus): string {
  if (opening.isOpen) return `Estamos atendendo agora, até ${hourName(opening.at)}.`;
  const { at, inDays, weekday } = opening;
  const [inThe, dayName] = weekdayNames[weekday];
  const next = inDays < 7 ? '' : inThe === 'na' ? 'próxima ' : 'próximo ';
  const day = ['hoje', 'amanhã'][inDays] ?? `${inThe} ${next}${dayName}`;
  const preposition = /^01:/.test(at) ? 'à' : 'às';
  return `Agora estamos fechados; respondemos ${day} ${preposition} ${hourName(at)}.`;
}

/** Formats `09:00` as `9h`, and `14:30` as `14h30`. */
const hourName = (time: string) => {
  const [hour = '', minute] = time.split(':');
  return `${Number(hour)}h${minute === '00' ? '' : minute}`;
};

const intervalsOn = (days: OpeningHours[], weekday: Weekday): Interval[] =>
  days
    .filter((hours) => hours.weekdays.includes(weekday))
    .sort((one, other) => (one.opens < other.opens ? -1 : 1));

/** If the clinic is open at `time`, returns when it closes. Intervals without a pause count as one. */
function closesAfter(intervals: Interval[], time: string): string | undefined {
  let end: string | undefined;
  for (const { opens, closes } of intervals)
    if (opens <= (end ?? time) && closes > (end ?? time)) end = closes;
  return end;
}

function clockOf(timeZone: string, now: Date): { weekday: Weekday; time: string } {
  const { Temporal } = globalThis as WithTemporal;
  if (!Temporal) return clockOfIntl(timeZone, now);
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const { dayOfWeek, hour, minute } = instant.toZonedDateTimeISO(timeZone);
  return {
    weekday: weekdays[dayOfWeek % 7] as Weekday,
    time: [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'),
  };
}

/** The part of `Temporal` that is used here. Safari does not have `Temporal` yet. */
type WithTemporal = {
  Temporal?: {
    Instant: {
      fromEpochMilliseconds(epochMs: number): {
        /** `dayOfWeek` is 1 for Monday and 7 for Sunday. */
        toZonedDateTimeISO(timeZone: string): { dayOfWeek: number; hour: number; minute: number };
      };
    };
  };
};

/** For browsers without `Temporal`. The first use of `Intl` takes 20 ms, on a phone four times as long. */
function clockOfIntl(timeZone: string, now: Date): { weekday: Weekday; time: string } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    weekday: (parts.weekday ?? '').toLowerCase() as Weekday,
    time: `${parts.hour}:${parts.minute}`,
  };
}
