import type { Activity, ListedActivity } from '#contract/activity.ts';

/** Where an activity is edited: the page finds it by its address. */
export const editAddress = ({ axis, id }: Pick<Activity, 'axis' | 'id'>) =>
  `/admin/editact?${new URLSearchParams({ axis, id })}`;

/** The same with the activity itself, when it is known whole: then it need not be fetched. */
export const editTarget = (activity: ListedActivity) => ({
  to: editAddress(activity),
  state: activity.content === undefined ? undefined : activity,
});
