/*
 * Needs are what practices can help with, such as sleep. This file has no schema, because visitors' browsers
 * load it.
 */

export type Need = {
  /** Stays the same when the clinic renames the need: activities and URLs contain it. */
  id: string;
  name: string;
};

/** The ids in the field `needs` of an activity. */
export const needIdsIn = (needs: string): string[] => needs.split(' ').filter((id) => id !== '');
