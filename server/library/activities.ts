import { randomBytes } from 'node:crypto';
import type { z } from 'zod/mini';
import {
  type Activity,
  activity,
  type activityInput,
  activityTag,
  type LatestActivity,
} from '#contract/activity.ts';
import { type ListName, listNames, listOf, type MainAxis } from '#contract/axes.ts';
import { ownUrlPath } from '#contract/practices/path.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { editorRoles } from '../permissions.ts';
import { bumpVersions } from './list-versions.ts';

type Input = z.output<typeof activityInput>;

/** The columns of an activity, as the contract declares them. */
export const activityColumns = Object.keys(activity.shape) as (keyof Activity)[];

/** The number of rows in the dashboard's card of latest activities. */
const latestCount = 5;

/** Returns the most recently changed activities of all lists, latest change first. */
export async function listLatest(database: Database): Promise<LatestActivity[]> {
  return database
    .selectFrom('activities')
    .select(['id', 'axis', 'title', 'createdAt', 'updatedAt'])
    .orderBy('updatedAt', 'desc')
    .orderBy('id')
    .limit(latestCount)
    .execute();
}

export type Saver = {
  /** The user who saves; null when a command saves. */
  editorId: string | null;
  /** Scheme and host of the site. */
  origin: string;
};

/** Appends an activity to the list of its axis. */
export async function createActivity(
  database: Database,
  input: Input,
  { editorId, origin }: Saver,
): Promise<Activity> {
  const now = Date.now();
  const id = newId(now);
  const created: Activity = {
    id,
    createdAt: now,
    updatedAt: now,
    audioSeconds: null,
    ...withOwnUrl(input, id, origin),
  };
  await database.transaction().execute((transaction) => append(transaction, created, editorId));
  return created;
}

/**
 * Saves an edit, and moves the activity to another list if its new axis belongs to that list.
 * @param list the list in which the editor saw the activity
 * @param tag the entity tag that the edit is based on
 * @throws AppError `documents/not-found`; `documents/precondition-failed` with the current activity and the
 * name of the user who saved it last
 */
export async function updateActivity(
  database: Database,
  {
    list,
    id,
    tag,
    input,
    editorId,
    origin,
  }: Saver & { list: ListName; id: string; tag: string; input: Input },
): Promise<Activity> {
  const target = listOf(input.axis);
  return database.transaction().execute(async (transaction) => {
    await bumpVersions(transaction, [list, target]);
    const current = await findActivity(transaction, id);
    if (!current) throw new AppError('documents/not-found');
    if (listOf(current.axis) !== list || tag !== activityTag(current))
      throw new AppError('documents/precondition-failed', {
        current,
        changedBy: await findEditor(transaction, id),
      });
    // Two saves in the same millisecond still get different tags.
    const updatedAt = Math.max(Date.now(), current.updatedAt + 1);
    const audioSeconds = input.audio === current.audio ? current.audioSeconds : null;
    const changes = { ...withOwnUrl(input, id, origin), updatedAt, audioSeconds };
    const next: Activity = { ...current, ...changes };
    if (target === list) {
      await transaction
        .updateTable('activities')
        .set({ ...changes, updatedBy: editorId })
        .where('id', '=', id)
        .execute();
    } else {
      await transaction.deleteFrom('activities').where('id', '=', id).execute();
      await append(transaction, next, editorId);
    }
    return next;
  });
}

/** Appends the id to the URL of an activity without a video, so that the activity links to its own page. */
const withOwnUrl = (input: Input, id: string, origin: string): Input =>
  input.url === origin + ownUrlPath ? { ...input, url: `${origin}${ownUrlPath}/${id}` } : input;

async function append(transaction: Database, activity: Activity, updatedBy: string | null): Promise<void> {
  const list = listOf(activity.axis);
  const { lastPosition } = await transaction
    .updateTable('activityLists')
    .set((row) => ({ version: row('version', '+', 1), lastPosition: row('lastPosition', '+', 1) }))
    .where('name', '=', list)
    .returning('lastPosition')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('activities')
    .values({ ...activity, list, position: lastPosition, updatedBy })
    .execute();
}

/** Returns one activity from any list. */
export async function findActivity(database: Database, id: string): Promise<Activity | undefined> {
  return database.selectFrom('activities').select(activityColumns).where('id', '=', id).executeTakeFirst();
}

/**
 * Returns the user who saved an activity last, for editors and admins only; undefined when that user is not
 * one of them any more.
 */
async function findEditor(database: Database, id: string): Promise<{ name: string } | undefined> {
  return database
    .selectFrom('activities')
    .innerJoin('users', 'users.id', 'activities.updatedBy')
    .select('users.displayName as name')
    .where('activities.id', '=', id)
    .where('users.member', 'in', editorRoles)
    .executeTakeFirst();
}

/** Returns a random string followed by the time, as the specification defines ids. */
function newId(now: number): string {
  return `${randomBytes(9).toString('base64url')}${now}`;
}

/** Counts the activities of each list. The keys are the lists' main axes. */
export async function countActivities(database: Database): Promise<Record<MainAxis, number>> {
  const lists = await database
    .selectFrom('activities')
    .select(['list', (row) => row.fn.countAll<number>().as('count')])
    .groupBy('list')
    .execute();
  const counts = { mind: 0, move: 0, nutri: 0, values: 0 };
  for (const name of listNames) {
    const axis = name.replace('ActsList', '') as MainAxis;
    counts[axis] = Number(lists.find(({ list }) => list === name)?.count ?? 0);
  }
  return counts;
}
