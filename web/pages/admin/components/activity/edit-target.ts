import type { Activity, ListedActivity } from '#contract/activity.ts';

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
