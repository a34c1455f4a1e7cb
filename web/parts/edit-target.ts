import type { Activity } from '#contract/activity.ts';

/** Where an activity is edited: it travels with the navigation, and the address finds it again after a reload. */
export const editTarget = (activity: Activity) => ({
  to: `/admin/editact?${new URLSearchParams({ axis: activity.axis, id: activity.id })}`,
  state: activity,
});
