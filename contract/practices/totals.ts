import * as z from 'zod/mini';
import { activity } from '../activity.ts';
import { axes } from '../axes.ts';

/** The events that the totals count. The end of a video is unknown, because YouTube plays the video. */
export const practiceEvents = ['opened', 'played', 'finished'] as const;

/** One use of a practice. It says nothing about who used it. */
export const practiceEvent = z.strictObject({ id: activity.shape.id, event: z.enum(practiceEvents) });
export type PracticeEvent = z.infer<typeof practiceEvent>;

/** Shown counts are multiples of this number, so that no total describes just a few visitors. */
export const countStep = 5;
/** A count from which on some number is always shown. */
export const surelyShownCount = 2 * countStep - 1;

/** A month of the calendar, such as `2026-11`. */
const month = z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/));
/** `null` if the count is too small to show, even if the count is zero. */
const shownCount = z.nullable(z.number());

/** If `month` is absent, the server uses the current month. */
export const practiceTotalsQuery = z.strictObject({ month: z.optional(month) });

/** How often visitors used the practices in one month. */
export const practiceTotals = z.object({
  /** False if the clinic has switched the counting off. */
  counting: z.boolean(),
  month,
  /** The current month and all other months that have a count to show, newest first. */
  months: z.array(month),
  /** The practices that have a count to show, the most frequently opened first. */
  practices: z.array(
    z.object({
      id: z.string(),
      /** The title and the axis are `null` once the activity is deleted. */
      title: z.nullable(z.string()),
      axis: z.nullable(z.enum(axes)),
      opened: shownCount,
      played: shownCount,
      finished: shownCount,
    }),
  ),
});
export type PracticeTotals = z.infer<typeof practiceTotals>;
