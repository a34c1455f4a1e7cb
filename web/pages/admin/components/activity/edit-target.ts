import type { Activity, ListedActivity } from '#contract/activity.ts';

/** The address of the edit page of an activity. */
export const editAddress = ({ axis, id }: Pick<Activity, 'axis' | 'id'>) =>
  `/admin/editact?${new URLSearchParams({ axis, id })}`;

/**
 * The edit page's address, with the activity as state if its text is loaded, so that the page need not fetch
 * it.
 */
export const editTarget = (activity: ListedActivity) => ({
  to: editAddress(activity),
  state: activity.content === undefined ? undefined : activity,
});
