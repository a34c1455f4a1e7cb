import type { Activity, ListedActivity } from '#contract/activity.ts';

/** The path of the edit page of an activity. */
export const editPath = ({ axis, id }: Pick<Activity, 'axis' | 'id'>) =>
  `/admin/editact?${new URLSearchParams({ axis, id })}`;

/**
 * The target of a link to the edit page. If the activity's text is loaded, the navigation state contains the
 * activity, so that the page does not fetch it.
 */
export const editTarget = (activity: ListedActivity) => ({
  to: editPath(activity),
  state: activity.content === undefined ? undefined : activity,
});
