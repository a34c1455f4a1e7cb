import type { ReminderTimes } from '#contract/reminder.ts';

const dayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * Writes an event of every chosen day for a calendar (RFC 5545). Its title is neutral. The times are those of
 * the wall clock ("floating"), so that they stay right when clocks change, and on journeys.
 * @param uid the user's id: with the same UID, a calendar replaces the event that it has
 * @param now the first event is later
 */
export function calendarFile(
  { uid, weekdays, hour }: { uid: string } & Pick<ReminderTimes, 'weekdays' | 'hour'>,
  now = new Date(),
): string {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour);
  while (first <= now || !weekdays.includes(first.getDay())) first.setDate(first.getDate() + 1);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${first.getFullYear()}${two(first.getMonth() + 1)}${two(first.getDate())}`;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Lembrete//PT', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
    ...['BEGIN:VEVENT', `UID:lembrete-${uid}`, `DTSTAMP:${stamp}`],
    // A calendar takes a changed event only with a higher number.
    `SEQUENCE:${Math.floor(now.getTime() / 60_000)}`,
    ...[`DTSTART:${day}T${two(hour)}0000`, 'DURATION:PT15M'],
    `RRULE:FREQ=WEEKLY;BYDAY=${weekdays.map((one) => dayCodes[one]).join(',')}`,
    ...['SUMMARY:Um lembrete', 'TRANSP:TRANSPARENT', 'CLASS:PRIVATE'],
    ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Um lembrete', 'TRIGGER:PT0S', 'END:VALARM'],
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ];
  return lines.join('\r\n');
}
