import * as z from 'zod/mini';
import type { Activity, ListedActivity } from '#contract/activity.ts';
import type { MainAxis } from '#contract/axes.ts';

/** The path of the edit page of an activity. */
export const editPath = ({ axis, id }: Pick<Activity, 'axis' | 'id'>) =>
  `/admin/editact?${new URLSearchParams({ axis, id })}`;

/** A listed activity as the API stores it; `undefined` while its text is not loaded. */
export function storedActivity({ editor: _, ...activity }: ListedActivity): Activity | undefined {
  const { content } = activity;
  return content === undefined ? undefined : { ...activity, content };
}

/**
 * The target of a link to the edit page. If the activity's text is loaded, the navigation state contains the
 * activity, so that the page does not fetch it.
 */
export const editTarget = (activity: ListedActivity) => ({
  to: editPath(activity),
  state: storedActivity(activity),
});

const state = z.object({ saved: z.optional(z.string()), search: z.optional(z.string()) });

/** The navigation state with the id of an activity. The list scrolls to this activity and focuses it. */
export const listState = ({ id }: { id: string }): z.infer<typeof state> => ({ saved: id });

/** Reads the id of the activity from the navigation state. */
export const savedIn = (carried: unknown): string | undefined => state.safeParse(carried).data?.saved;

/** The navigation state with which a list opens its search. */
export const searchState = (search: string): z.infer<typeof state> => ({ search });

/** Reads the search from the navigation state. */
export const searchIn = (carried: unknown): string => state.safeParse(carried).data?.search ?? '';

/** The path of the form for a new activity of a list. It preselects the axis if the list has only one. */
export const newActivityPath = (axis: MainAxis) => `/admin/newact${axis === 'values' ? '' : `?axis=${axis}`}`;
