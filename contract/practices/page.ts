import * as z from 'zod/mini';
import { activity, activitySummary } from '../activity.ts';
import { excerptMaxLength } from './excerpt.ts';

/** A practice, with the fields that a list of links shows. */
const practiceLink = z.omit(activitySummary, { image: true, createdAt: true, updatedAt: true });

/** A practice, with the fields that its card on /practices shows. */
const practiceCard = z.extend(activitySummary, {
  /** The beginning of the text, or the whole text if it is short. */
  excerpt: z.string().check(z.maxLength(excerptMaxLength)),
});
export type PracticeCardData = z.infer<typeof practiceCard>;

const count = z.int().check(z.gte(0));

/** The number of practices on one page of /practices. */
export const practicesPerPage = 60;

/** One page of the practices that a visitor has chosen. */
export const practicesPage = z.object({
  practices: z.array(practiceCard).check(z.maxLength(practicesPerPage)),
  /** The number of this page, which is the last one if the visitor asked for a later one. */
  page: count,
  pages: count,
  /** The number of practices on all pages together. */
  chosen: count,
  /** The number of practices of the axis, whatever the visitor has chosen. */
  total: count,
  /** The number of practices of the axis whose length is unknown. */
  untimed: count,
});
export type PracticesPage = z.infer<typeof practicesPage>;

/** What the page of a practice shows. */
export const practicePage = z.object({
  /** Null if there is no public activity with this id. */
  practice: z.nullable(activity),
  /** True if an activity with this id existed and an admin has deleted it. */
  deleted: z.boolean(),
  /** Other practices of the same list; empty if the activity is hidden or never existed. */
  others: z.array(activitySummary),
});
export type PracticePage = z.infer<typeof practicePage>;

/** The public practices for needs at night, in the order of the lists. */
export const nightPractices = z.object({ documents: z.array(practiceLink) });
export type NightPractice = z.infer<typeof practiceLink>;
