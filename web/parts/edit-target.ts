import type { Activity } from '#contract/activity.ts';

/** Where an activity is edited: the page finds it by its address. */
export const editAddress = ({ axis, id }: Pick<Activity, 'axis' | 'id'>) =>
  `/admin/editact?${new URLSearchParams({ axis, id })}`;

/** The same with the activity itself, which then need not be fetched. */
export const editTarget = (activity: Activity) => ({ to: editAddress(activity), state: activity });
