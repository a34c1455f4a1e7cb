/*
 * Calendar days, such as `2026-11-27`, which belong to no time zone. Names are written here, because server
 * and browser must write alike, and a browser needs 20 ms for the first use of `Intl`, on a phone four times
 * as long.
 */

export const dayMs = 24 * 60 * 60_000;

/** The day of a time in UTC. */
export const dateOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

const brasiliaOffsetMs = 3 * 60 * 60_000;

/** The day of a time in Brasília, which has had no summer time since 2019. */
export const dayInBrasilia = (epochMs: number): string => dateOf(epochMs - brasiliaOffsetMs);

/** Returns the day that is `count` days after a calendar day. */
export const dayAfter = (from: string, count: number): string => dateOf(Date.parse(from) + count * dayMs);

/** Returns the Monday of a day's week, or of an earlier week. */
export function mondayOf(ofDay: string, weeksBefore = 0): string {
  const weekday = (new Date(ofDay).getUTCDay() + 6) % 7;
  return dayAfter(ofDay, -weekday - 7 * weeksBefore);
}

export const monthNames = [
  ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho'],
  ...['julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro'],
];

/** Formats `2026-11`, or a date in that month, as `novembro de 2026`. */
export const monthAndYear = (month: string): string =>
  `${monthNames[Number(month.slice(5, 7)) - 1]} de ${month.slice(0, 4)}`;

/** Formats `2026-11-03` as `3 de novembro de 2026`. */
export const fullDate = (date: string): string => `${Number(date.slice(8))} de ${monthAndYear(date)}`;
