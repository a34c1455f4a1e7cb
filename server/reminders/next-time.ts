import type { ReminderTimes } from '#contract/reminder.ts';
import { clockOf } from '#contract/site/clock.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** A day that a zone has skipped can be one of the chosen days, which then come only a week later. */
const daysAhead = 15;

/** The wall clock of a zone as if it were UTC. The offset from UTC is its difference to `at`. */
function wallClock(zone: string, at: number): number {
  const { date, minute } = clockOf(zone, new Date(at));
  return Date.parse(`${date}T00:00Z`) + minute * minuteMs;
}

/**
 * Returns when a clock in the zone shows `wall` for the first time. If it skips `wall`, the result is as much
 * later on the clock as the clock has skipped, as with `Temporal`.
 */
function firstTimeOf(zone: string, wall: number): number {
  const [before, after] = [wall - dayMs, wall + dayMs].map((near) => wall - (wallClock(zone, near) - near));
  const shown = [before, after].filter(
    (at): at is number => at !== undefined && wallClock(zone, at) === wall,
  );
  return shown.length > 0 ? Math.min(...shown) : (before ?? wall);
}

/**
 * Finds the next time of a reminder: the chosen hour on a chosen day. An hour that exists twice counts once,
 * the first time. An hour that the clock skips becomes the next one of that day. A day without one has no
 * reminder.
 * @param after the result is later
 * @param lastAt the last reminder; the result is on a later day of the zone
 */
export function nextReminder({ weekdays, hour, zone }: ReminderTimes, after: number, lastAt = 0): number {
  const today = Date.parse(`${clockOf(zone, new Date(after)).date}T00:00Z`);
  const lastDay = clockOf(zone, new Date(lastAt)).date;
  for (let count = 0; count < daysAhead; count += 1) {
    const date = new Date(today + count * dayMs);
    const day = date.toISOString().slice(0, 10);
    if (day <= lastDay || !weekdays.includes(date.getUTCDay())) continue;
    const at = firstTimeOf(zone, date.getTime() + hour * 60 * minuteMs);
    if (at > after && clockOf(zone, new Date(at)).date === day) return at;
  }
  throw new Error(`The zone ${zone} has no such day.`);
}
