import * as z from 'zod/mini';
import { plainText } from '../text.ts';
import { several } from './fields.ts';

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

const openingHours = z.strictObject({
  weekdays: z.array(z.enum(weekdays)).check(z.minLength(1, 'escolha um dia'), z.maxLength(7)),
  opens: timeOfDay('falta a hora em que abre, como 09:00'),
  closes: timeOfDay('falta a hora em que fecha, como 18:00'),
});
export type OpeningHours = z.infer<typeof openingHours>;

/** Marks rules that a draft may break: its hours may overlap, or close before they open. */
const inDraft = { inDraft: true };

/** When the clinic answers. If `days` is empty, the site shows only the identity's text `hours`. */
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
