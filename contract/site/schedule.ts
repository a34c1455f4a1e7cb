import * as z from 'zod/mini';
import { plainText } from '../text.ts';
import { several } from './fields.ts';

/** In the order of JavaScript's `Date.getDay()`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof weekdays)[number];

/** Time zones of the IANA database in which clocks of Brazil differ, or differed while it had summer time. */
export const timeZones = [
  'America/Sao_Paulo',
  'America/Fortaleza',
  'America/Cuiaba',
  'America/Manaus',
  'America/Rio_Branco',
  'America/Noronha',
] as const;

/** `HH:MM` of a day, so that texts compare like times. */
const timeOfDay = (message: string) =>
  z.string().check(z.maxLength(5, message), z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, message), plainText);

const openingHours = z.strictObject({
  weekdays: z.array(z.enum(weekdays)).check(z.minLength(1, 'escolha um dia'), z.maxLength(7)),
  opens: timeOfDay('falta a hora em que abre, como 09:00'),
  closes: timeOfDay('falta a hora em que fecha, como 18:00'),
});
export type OpeningHours = z.infer<typeof openingHours>;

/** A draft may have hours that do not fit together. */
const inDraft = { inDraft: true };

/** When the clinic answers. Without hours, the site shows only the text of the identity. */
export const scheduleSchema = z.strictObject({
  timeZone: z.enum(timeZones, 'escolha um fuso horário'),
  days: several(openingHours, 0, '').check((context) => {
    for (const [index, { weekdays, opens, closes }] of context.value.entries()) {
      const complain = (field: string, message: string) =>
        context.issues.push({
          code: 'custom',
          input: context.value,
          path: [index, field],
          message,
          params: inDraft,
        });
      if (closes !== '' && closes <= opens) complain('closes', 'deve fechar depois de abrir');
      const overlaps = context.value
        .slice(0, index)
        .some(
          (other) =>
            overlap(other, { opens, closes }) && other.weekdays.some((day) => weekdays.includes(day)),
        );
      if (overlaps) complain('opens', 'este horário cruza outro do mesmo dia');
    }
  }),
});
export type Schedule = z.infer<typeof scheduleSchema>;

type Hours = Pick<OpeningHours, 'opens' | 'closes'>;
const overlap = (one: Hours, other: Hours) => one.opens < other.closes && other.opens < one.closes;
