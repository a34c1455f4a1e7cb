import assert from 'node:assert/strict';
import { it } from 'node:test';
import { calendarFile } from './calendar.ts';

it('a calendar gets a neutral event on the chosen days, by the wall clock, and replaces it later', () => {
  // A Friday.
  const now = new Date(2026, 10, 27, 8, 30);
  const file = calendarFile({ uid: 'u1', weekdays: [1, 5], hour: 8 }, now);
  const lines = file.split('\r\n');
  for (const line of [
    ...['UID:lembrete-u1', 'DTSTART:20261130T080000', 'RRULE:FREQ=WEEKLY;BYDAY=MO,FR'],
    ...['SUMMARY:Um lembrete', 'BEGIN:VALARM', 'END:VCALENDAR'],
  ])
    assert.ok(lines.includes(line), line);
  assert.ok(lines.every((line) => line.length <= 75));
  assert.equal(lines.at(-1), '');
  assert.match(file, /DTSTAMP:\d{8}T\d{6}Z\r\n/);
  const later = calendarFile({ uid: 'u1', weekdays: [5], hour: 9 }, new Date(now.getTime() + 60_000));
  assert.match(later, /DTSTART:20261127T090000\r\n/);
  const sequence = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]);
  assert.equal(sequence(later), sequence(file) + 1);
  assert.ok(!/https?:|TZID|ORGANIZER|LOCATION/.test(file));
});
