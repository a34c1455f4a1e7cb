import { useEffect, useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import type { ReadList } from '#client/library.ts';
import type { ListedActivity } from '#contract/activity.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { client } from '#web/app/client.ts';

/**
 * If a list has more activities than this, its texts load only when `wanted`, because they can be several
 * megabytes.
 */
const loadedAtOnceMax = 300;

/**
 * Loads the texts of a list after its page is shown: immediately if the list is short, otherwise when
 * `wanted`.
 * @param onRead receives the list with its texts
 * @returns `waiting`: true while wanted texts are missing; `failed`: true if they could not be loaded
 */
export function useContents(
  axis: MainAxis,
  {
    activities,
    wanted,
    onRead,
  }: { activities: ListedActivity[]; wanted: boolean; onRead: (read: ReadList) => void },
) {
  const [failed, setFailed] = useState(false);
  const missing = activities.some(({ content }) => content === undefined);
  const needed = missing && (wanted || activities.length <= loadedAtOnceMax);
  const take = useRef(onRead);
  useEffect(() => {
    take.current = onRead;
  });

  useEffect(() => {
    if (!needed) return;
    const controller = new AbortController();
    client.documents.getActivitiesInParts(listOf(axis), controller.signal).then(
      (read) => {
        setFailed(false);
        take.current(read);
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (!(error instanceof ClientError)) console.error(error);
        setFailed(true);
      },
    );
    return () => controller.abort();
  }, [needed, axis]);

  return { waiting: wanted && missing && !failed, failed: wanted && missing && failed };
}
