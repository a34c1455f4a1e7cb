import * as z from 'zod/mini';
import { activity, activitySummary } from '../activity.ts';

/** When the user kept the practice, in epoch milliseconds. */
const keptAt = activity.shape.createdAt;

/** A practice that a user keeps. */
const favourite = z.extend(activitySummary, { keptAt });
export type Favourite = z.infer<typeof favourite>;

/**
 * A user's favourites, newest first. Only this user may read them, because they can reveal the user's mood.
 */
export const favourites = z.object({
  documents: z.array(favourite),
  /** The ids of deleted or hidden favourites. `documents` lists a favourite again once it is public again. */
  missing: z.array(z.string()),
});
export type Favourites = z.infer<typeof favourites>;

/** The parameters of a favourite's path. */
export const favouritePath = z.strictObject({ id: activity.shape.id });

/**
 * The body of a request to keep a practice. To undo a removal, the client sends the old `keptAt`, so that the
 * favourite returns to its old place in the list.
 */
export const favouriteInput = z.strictObject({ keptAt: z.optional(keptAt) });
