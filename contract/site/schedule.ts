import * as z from 'zod/mini';
import { plainText } from '../text.ts';
import { several } from './fields.ts';
import { finishedHours, minutesPerDay, type Span, spanOf } from './hours.ts';

/** The days are in the order of JavaScript's `Date.getDay()`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof weekdays)[number];

/** IANA time zones of Brazil whose clocks differ from each other, or did while Brazil had summer time. */
export const timeZones = [
  'America/Sao_Paulo',
  'America/Fortaleza',
  'America/Cuiaba',
  'America/Manaus',
  'America/Rio_Branco',
  'America/Noronha',
] as const;

/** A time of day as `HH:MM`. In this format, string comparison gives the order of the times. */
const timeOfDay = (message: string) =>
  z.string().check(z.maxLength(5, message), z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, message), plainText);

/** A weekday's hours. They may pass midnight (`18:00`–`02:00`), and last all day (`00:00`–`00:00`). */
const openingHours = z.strictObject({
  weekdays: z.array(z.enum(weekdays)).check(z.minLength(1, 'escolha um dia'), z.maxLength(7)),
  opens: timeOfDay('falta a hora em que abre, como 09:00'),
  closes: timeOfDay('falta a hora em que fecha, como 18:00'),
});
export type OpeningHours = z.infer<typeof openingHours>;

/** Days on which the clinic is closed: holidays, vacations. Without `until`, it is the one day `from`. */
const closedDays = z.strictObject({
  from: z.iso.date('falta o primeiro dia'),
  until: z
    .string()
    .check(z.regex(/^(?:\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))?$/, 'a data não existe')),
});
export type ClosedDays = z.infer<typeof closedDays>;

/** Marks rules that a draft may break: its hours may overlap, or end when they begin. */
const inDraft = { inDraft: true };

/** When the clinic answers. If `days` is empty, the site shows the identity's text `hours` instead. */
export const scheduleSchema = z.strictObject({
  timeZone: z.enum(timeZones, 'escolha um fuso horário'),
  days: several(openingHours, 0, '').check((context) => {
    for (const [index, hours] of context.value.entries()) {
      const complain = (field: string, message: string) =>
        context.issues.push({
          code: 'custom',
          input: context.value,
          path: [index, field],
          message,
          params: inDraft,
        });
      if (hours.closes !== '' && hours.closes === hours.opens && hours.opens !== '00:00')
        complain('closes', 'deve fechar em outra hora');
      if (context.value.slice(0, index).some((other) => overlap(other, hours)))
        complain('opens', 'este horário cruza outro do mesmo dia');
    }
  }),
  closed: z._default(
    several(closedDays, 0, '').check((context) => {
      for (const [index, { from, until }] of context.value.entries())
        if (until !== '' && until < from)
          context.issues.push({
            code: 'custom',
            input: context.value,
            path: [index, 'until'],
            message: 'deve ser depois do primeiro dia',
            params: inDraft,
          });
    }),
    [],
  ),
});
export type Schedule = z.infer<typeof scheduleSchema>;

function overlap(one: OpeningHours, other: OpeningHours): boolean {
  const week = 7 * minutesPerDay;
  return weekSpans(one).some((first) =>
    // Hours of Saturday that pass midnight can overlap with those of Sunday.
    weekSpans(other).some((second) =>
      [-week, 0, week].some((shift) => first.from < second.to + shift && second.from + shift < first.to),
    ),
  );
}

const weekSpans = (hours: OpeningHours): Span[] =>
  finishedHours([hours]).flatMap((one) => one.weekdays.map((day) => spanOf(one, weekdays.indexOf(day))));
