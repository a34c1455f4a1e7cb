import * as z from 'zod/mini';
import { activity, activitySummary } from '../activity.ts';

/** A practice, with the fields that a list of links shows. */
const practiceLink = z.omit(activitySummary, { image: true, createdAt: true, updatedAt: true });

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
