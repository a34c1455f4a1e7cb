import * as z from 'zod/mini';
import { activity, activitySummary } from '../activity.ts';

/** Epoch milliseconds. */
const keptAt = activity.shape.createdAt;

/** A practice that a user keeps. */
const favourite = z.extend(activitySummary, { keptAt });
export type Favourite = z.infer<typeof favourite>;

/** What a user keeps, newest first. Only that user may read it, because it can reveal how the user feels. */
export const favourites = z.object({
  documents: z.array(favourite),
  /** The ids of favourites that are deleted or hidden now. They come back once they are public again. */
  missing: z.array(z.string()),
});
export type Favourites = z.infer<typeof favourites>;

/** The parameters of a favourite's path. */
export const favouritePath = z.strictObject({ id: activity.shape.id });

/** The body to keep a practice. With `keptAt`, an undone removal gets its old place in the list. */
export const favouriteInput = z.strictObject({ keptAt: z.optional(keptAt) });
