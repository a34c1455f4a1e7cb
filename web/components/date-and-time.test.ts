import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fullDate, monthAndYear } from '#contract/calendar.ts';
import {
  calendarDay,
  dateAndTime,
  dateOnly,
  dayAndMonth,
  dayAndWeekday,
  recentDate,
  shortMonthAndYear,
} from './date-and-time.ts';

const dayMs = 24 * 60 * 60_000;
const leapYear = Array.from({ length: 366 }, (_, day) => Date.UTC(2028, 0, 1, 12) + day * dayMs);
const intl = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('pt-BR', options).format;

it('names each day of a year as Intl does for Brazil', () => {
  const long = intl({ dateStyle: 'long', timeZone: 'UTC' });
  const month = intl({ month: 'long', year: 'numeric', timeZone: 'UTC' });
  const shortMonth = intl({ month: 'short', year: 'numeric', timeZone: 'UTC' });
  const weekday = intl({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  const short = intl({ day: 'numeric', month: 'short', year: 'numeric' });
  for (const at of leapYear) {
    const date = new Date(at).toISOString().slice(0, 10);
    assert.equal(fullDate(date), long(at));
    assert.equal(monthAndYear(date.slice(0, 7)), month(at));
    assert.equal(shortMonthAndYear(date.slice(0, 7)), shortMonth(at).replace(' de ', ' '));
    assert.equal(dateOnly(at), short(at).replaceAll(' de ', ' '));
    assert.equal(dayAndWeekday(date, new Date(2028, 0, 1)), weekday(at));
    assert.equal(`${dayAndMonth(date)} 2028`, dateOnly(at));
  }
});

it('writes the time with an h, and leaves out the current year', () => {
  const at = new Date(2025, 10, 12, 9, 4).getTime();
  assert.equal(dateAndTime(at), '12 nov. 2025, 9h04');
  assert.equal(recentDate(at, new Date(2025, 0, 1)), '12 nov.');
  assert.equal(recentDate(at, new Date(2026, 0, 1)), '12 nov. 2025');
});

it('knows the calendar day of the device, also a minute before and after midnight', () => {
  assert.equal(calendarDay(new Date(2026, 0, 31, 23, 59)), '2026-01-31');
  assert.equal(calendarDay(new Date(2026, 1, 1, 0, 1)), '2026-02-01');
});
