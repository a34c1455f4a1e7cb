import {
  type Activity,
  type ActivityInput,
  type ActivityOrder,
  activities,
  activity,
  activitySummaries,
  activityTag,
  type DeletedActivity,
  deletedActivities,
  type LatestActivity,
  type ListedActivity,
  latestActivities,
  listParts,
} from '#contract/activity.ts';
import { type ListName, listOf } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { type PracticeChoice, practicesQuery } from '#contract/practices/choice.ts';
import {
  type NightPractice,
  nightPractices,
  type PracticePage,
  type PracticesPage,
  practicePage,
  practicesPage,
} from '#contract/practices/page.ts';
import { ClientError } from './client-error.ts';
import { readJson, type Send, tagOf } from './http.ts';

/** A list from the server, with its ETag. `replaceActivities` sends this `tag` in `If-Match`. */
export type ReadList = { activities: Activity[]; tag: string };

/** A list whose activities may lack their text, `content`. */
export type ReadSummaries = { activities: ListedActivity[]; tag: string };

/** Creates the methods of `documents` that read and write activities. */
export function createLibraryClient(send: Send) {
  const readWhole = (list: ListName, signal: AbortSignal | undefined) =>
    readList(list, send(paths.documents.activities(list), { signal }));

  return {
    async getActivities(list: ListName, signal?: AbortSignal): Promise<ReadList> {
      return readWhole(list, signal);
    },

    /**
     * Reads a list without its activities' `content`, which the list's page in the admin area loads later.
     * For editors and admins.
     * @param options.names true to get the names of the users who saved them last. Only admins get names
     */
    async getActivitySummaries(
      list: ListName,
      { names = false, signal }: { names?: boolean; signal?: AbortSignal } = {},
    ): Promise<ReadSummaries> {
      const query = names ? '?names=1&' : '?';
      return readInParts<ListedActivity>(list, {
        read: (part) => send(`${paths.documents.activitySummaries(list)}${query}part=${part}`, { signal }),
        parse: (items) => activitySummaries.parse(items),
        readWhole: () => readWhole(list, signal),
      });
    },

    /**
     * Like `getActivities`, but reads the list in several requests, so that a long list does not block the
     * server or the browser. For editors and admins.
     */
    async getActivitiesInParts(list: ListName, signal?: AbortSignal): Promise<ReadList> {
      return readInParts<Activity>(list, {
        read: (part) => send(`${paths.documents.activityItems(list)}?part=${part}`, { signal }),
        parse: (items) => activities.parse(items),
        readWhole: () => readWhole(list, signal),
      });
    },

    /**
     * Reads one activity, even if it has moved to another axis. Returns `undefined` if the activity does not
     * exist.
     */
    async findActivity(
      { axis, id }: Pick<Activity, 'axis' | 'id'>,
      signal?: AbortSignal,
    ): Promise<Activity | undefined> {
      try {
        return activity.parse(
          await readJson(send(paths.documents.activityItem(listOf(axis), id), { signal })),
        );
      } catch (error) {
        if (error instanceof ClientError && error.code === 'documents/not-found') return undefined;
        throw error;
      }
    },

    /** Reads one page of the practices that a visitor has chosen, without their whole texts. */
    async getPractices(choice: Partial<PracticeChoice>, signal?: AbortSignal): Promise<PracticesPage> {
      const path = paths.documents.practices + practicesQuery(choice);
      return practicesPage.parse(await readJson(send(path, { signal })));
    },

    /** Reads the data that the page of a practice shows. */
    async getPracticePage(id: string, signal?: AbortSignal): Promise<PracticePage> {
      return practicePage.parse(await readJson(send(paths.documents.practicePage(id), { signal })));
    },

    /** Reads the practices that the clinic offers for needs at night, for example trouble sleeping. */
    async getNightPractices(signal?: AbortSignal): Promise<NightPractice[]> {
      return nightPractices.parse(await readJson(send(paths.documents.nightPractices, { signal }))).documents;
    },

    /**
     * Writes a whole list, to import activities.
     * @throws ClientError `documents/precondition-failed` when the list has changed since `tag` was read
     */
    async replaceActivities(list: ListName, next: Activity[], tag: string): Promise<ReadList> {
      const sent = send(paths.documents.activities(list), {
        method: 'PUT',
        body: { [list]: next },
        headers: { 'if-match': tag },
      });
      return readList(list, sent);
    },

    /**
     * Writes a new order of a list, without the activities.
     * @throws ClientError `documents/precondition-failed` when the list no longer has the order `from`
     */
    async reorderActivities(list: ListName, order: ActivityOrder): Promise<void> {
      await send(paths.documents.activityOrder(list), { method: 'PUT', body: order });
    },

    /** Appends an activity to the list of its axis. */
    async createActivity(input: ActivityInput): Promise<Activity> {
      const path = paths.documents.activityItems(listOf(input.axis));
      return activity.parse(await readJson(send(path, { method: 'POST', body: input })));
    },

    /**
     * Saves an edit of `base`. A new axis moves the activity to the list of that axis.
     * @throws ClientError `documents/precondition-failed` when the activity has changed since `base` was
     * read; `current` is the newer activity
     */
    async updateActivity(base: Activity, input: ActivityInput): Promise<Activity> {
      const sent = send(paths.documents.activityItem(listOf(base.axis), base.id), {
        method: 'PUT',
        body: input,
        headers: { 'if-match': activityTag(base) },
      });
      return activity.parse(await readJson(sent));
    },

    async deleteActivity(target: Pick<Activity, 'axis' | 'id'>): Promise<void> {
      await send(paths.documents.activityItem(listOf(target.axis), target.id), { method: 'DELETE' });
    },

    /**
     * Restores a deleted activity to its old position, with its id and times.
     * @throws ClientError `documents/not-found` when the activity was deleted too long ago
     */
    async restoreActivity(target: Pick<Activity, 'axis' | 'id'>): Promise<Activity> {
      const path = paths.documents.activityRestore(listOf(target.axis), target.id);
      return activity.parse(await readJson(send(path, { method: 'POST' })));
    },

    /** Reads the deleted but still restorable activities of a list, latest deletion first. Admin only. */
    async getDeletedActivities(list: ListName, signal?: AbortSignal): Promise<DeletedActivity[]> {
      const sent = send(paths.documents.deletedActivities(list), { signal });
      return deletedActivities.parse(await readJson(sent)).documents;
    },

    /** Reads the most recently changed activities of all lists, latest change first. Admin only. */
    async getLatestActivities(signal?: AbortSignal): Promise<LatestActivity[]> {
      return latestActivities.parse(await readJson(send(paths.documents.latestActivities, { signal })))
        .documents;
    },
  };
}

/**
 * The number of attempts to read a list in parts. If the list changes during each of these attempts, a single
 * request reads the whole list.
 */
const readingsInParts = 3;
/** With two parallel requests, the server prepares one part while it sends another. A third would wait. */
const partsAtOnce = 2;

/** Reads a list part by part, and starts again if the list changes between two parts. */
async function readInParts<Item>(
  list: ListName,
  {
    read,
    parse,
    readWhole,
  }: {
    read: (part: number) => Promise<Response>;
    parse: (items: unknown) => Item[];
    readWhole: () => Promise<{ activities: Item[]; tag: string }>;
  },
): Promise<{ activities: Item[]; tag: string }> {
  async function readPart(part: number) {
    const response = await read(part);
    const { [list]: items, parts } = (await response.json()) as Record<string, unknown>;
    return { activities: parse(items), count: listParts.parse(parts), tag: tagOf(response) };
  }
  for (let reading = 0; reading < readingsInParts; reading += 1) {
    const first = await readPart(0);
    const { tag, count } = first;
    const parts = [first];
    let next = 1;
    const readOn = async () => {
      while (next < count && parts.every((part) => part.tag === tag)) {
        const number = next;
        next += 1;
        parts[number] = await readPart(number);
      }
    };
    await Promise.all(Array.from({ length: partsAtOnce }, readOn));
    if (parts.every((part) => part.tag === tag))
      return { activities: parts.flatMap(({ activities }) => activities), tag };
  }
  return readWhole();
}

async function readList(list: ListName, sent: Promise<Response>): Promise<ReadList> {
  const response = await sent;
  const body = (await response.json()) as Record<string, unknown>;
  return { activities: activities.parse(body[list]), tag: tagOf(response) };
}
