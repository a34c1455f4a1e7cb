import { fullDate, monthNames } from '#contract/calendar.ts';

const weekdays = 'domingo,segunda-feira,terça-feira,quarta-feira,quinta-feira,sexta-feira,sábado'.split(',');

/** Formats a date: `12 nov. 2025`. */
export function dateOnly(epochMs: number) {
  const date = new Date(epochMs);
  return `${date.getDate()} ${shortName(date.getMonth())} ${date.getFullYear()}`;
}

/** Formats a date, without the year if it is the current year: `12 nov.`. */
export function recentDate(epochMs: number, now = new Date()) {
  const year = ` ${new Date(epochMs).getFullYear()}`;
  const date = dateOnly(epochMs);
  return year === ` ${now.getFullYear()}` ? date.slice(0, -year.length) : date;
}

/** Formats date and time: `12 nov. 2025, 9h40`. */
export function dateAndTime(epochMs: number) {
  const date = new Date(epochMs);
  const minutes = String(date.getMinutes()).padStart(2, '0');
  return `${dateOnly(epochMs)}, ${date.getHours()}h${minutes}`;
}

/** Formats `2026-11-27` as `sexta-feira, 27 de novembro`, with the year if it is not that of `now`. */
export function dayAndWeekday(date: string, now = new Date()) {
  const day = `${weekdays[new Date(date).getUTCDay()]}, ${fullDate(date)}`;
  const year = ` de ${now.getFullYear()}`;
  return day.endsWith(year) ? day.slice(0, -year.length) : day;
}

/** Formats `2026-11-03` as `3 nov.`. */
export const dayAndMonth = (date: string) => `${Number(date.slice(8))} ${shortName(monthOf(date))}`;

/** Returns the calendar day where this device is, such as `2026-11-27`. */
export function calendarDay(now = new Date()) {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Formats `2026-11` as `nov. 2026`, which fits into a list with large text on a phone. */
export function shortMonthAndYear(month: string) {
  return `${shortName(monthOf(month))} ${month.slice(0, 4)}`;
}

/** @returns the month from 0 to 11 */
const monthOf = (date: string) => Number(date.slice(5, 7)) - 1;

const shortName = (month: number) => `${monthNames[month]?.slice(0, 3)}.`;
