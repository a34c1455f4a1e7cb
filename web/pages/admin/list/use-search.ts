import { useDeferredValue, useEffect, useMemo } from 'react';
import type { ListedActivity } from '#contract/activity.ts';
import { foldForSearch } from '#contract/text.ts';

/** The searchable text of each activity. Computing it again for each key press would make typing slow. */
const keys = new WeakMap<ListedActivity, string>();

const foldedAtOnce = 200;

function keyOf(activity: ListedActivity): string {
  let key = keys.get(activity);
  if (key === undefined) {
    key = foldForSearch(`${activity.title}\n${activity.content ?? ''}`);
    keys.set(activity, key);
  }
  return key;
}

/**
 * Finds the activities with `search` in title or content. If there are many activities, the results appear a
 * little later than the typed text.
 */
export function useSearch(activities: ListedActivity[], search: string): ListedActivity[] {
  useEffect(() => foldInSpareTime(activities), [activities]);
  const wanted = foldForSearch(useDeferredValue(search));
  return useMemo(
    () => (wanted === '' ? activities : activities.filter((activity) => keyOf(activity).includes(wanted))),
    [activities, wanted],
  );
}

/** Computes the searchable texts in small batches. @returns a function that stops the computation */
function foldInSpareTime(activities: ListedActivity[]): () => void {
  let next = 0;
  let timer: ReturnType<typeof setTimeout>;
  function some() {
    for (const activity of activities.slice(next, next + foldedAtOnce)) keyOf(activity);
    next += foldedAtOnce;
    if (next < activities.length) timer = setTimeout(some);
  }
  timer = setTimeout(some);
  return () => clearTimeout(timer);
}
