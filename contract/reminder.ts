import * as z from 'zod/mini';
import { zone } from './diary/entry.ts';

/*
 * The reminder of the week by e-mail: off until the user turns it on. The mail is neutral: it says nothing
 * about the site, the clinic or the practices.
 */

const hour = z.number('Escolha a hora.').check(z.int(), z.gte(0), z.lte(23));
/** In the order of JavaScript's `Date.getDay()`: Sunday is 0. */
const weekday = z.number().check(z.int(), z.gte(0), z.lte(6));

/** When the reminder leaves, by the clocks of the user's time zone. */
export const reminderTimes = z.strictObject({
  weekdays: z.array(weekday).check(
    z.minLength(1, 'Escolha pelo menos um dia.'),
    z.maxLength(7),
    z.refine((days) => new Set(days).size === days.length, 'Cada dia vale uma vez.'),
  ),
  hour,
  zone,
});
export type ReminderTimes = z.infer<typeof reminderTimes>;

export const reminderChange = z.extend(reminderTimes, { on: z.boolean() });
export type ReminderChange = z.infer<typeof reminderChange>;

/**
 * Why a reminder turned itself off: four weeks without a visit, an email address that refuses mails, or a
 * restored backup, which may be older than the user's decision.
 */
export const reminderStops = ['unvisited', 'refused', 'restored'] as const;

const time = z.nullable(z.number());

/** The reminder of the signed-in user. Times are epoch milliseconds. */
export const reminder = z.object({
  /** Null if the user has never chosen a time. */
  times: z.nullable(reminderTimes),
  on: z.boolean(),
  stoppedBy: z.nullable(z.enum(reminderStops)),
  /** When the next one leaves, if something is open then. */
  nextAt: time,
  sentAt: time,
  /** The whole sender of the mails. */
  sender: z.object({ name: z.string(), address: z.string() }),
  email: z.string(),
  emailVerified: z.boolean(),
});
export type Reminder = z.infer<typeof reminder>;

/** The page of the link that turns the reminder off. Its form, and mail programs, send a POST (RFC 8058). */
export const reminderLeavePath = (token: string) => `/lembrete/sair/${token}`;
