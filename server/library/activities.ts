import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod/mini';
import {
  type Activity,
  activity,
  type activityInput,
  activityTag,
  type LatestActivity,
} from '#contract/activity.ts';
import { type ListName, listNames, listOf, type MainAxis } from '#contract/axes.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { bumpVersions, getListVersion } from './list-versions.ts';

type Input = z.output<typeof activityInput>;

/** A list document at one version. */
export type ListDocument = { version: number; activities: Activity[] };

/** The columns of an activity, as the contract declares them. */
export const activityColumns = Object.keys(activity.shape) as (keyof Activity)[];

/**
 * Reads the whole list and its version. It reads the version first: if the list changes in between, the
 * entity tag is older than the content, and the next request gets the list again. In the reverse order,
 * clients would keep old content under a new tag.
 */
export async function readList(database: Database, list: ListName): Promise<ListDocument> {
  const version = await getListVersion(database, list);
  const activities = await database
    .selectFrom('activities')
    .select(activityColumns)
    .where('list', '=', list)
    .orderBy('position')
    .execute();
  return { version, activities };
}

/** A list document, or a part of it, as JSON. */
export type WrittenList = { version: number; json: string; parts: number };

export const writeList = (list: ListName, { version, activities }: ListDocument): WrittenList => ({
  version,
  json: JSON.stringify({ [list]: activities }),
  parts: 1,
});

/** Activities per part. The server needs some milliseconds for a part of this size. */
export const summariesPerPart = 1_000;

/** The kinds of parts: `summaries` are activities without their texts, `items` are complete activities. */
const kindsOfParts = {
  summaries: {
    columns: activityColumns.filter((column) => column !== 'content'),
    size: summariesPerPart,
  },
  items: { columns: activityColumns, size: 250 },
};

/**
 * Returns one part of a list as JSON. A single statement reads the part and the version, so the parts of one
 * version together are the complete list. The database writes the JSON, which takes half as long as in Node.
 */
export async function writeListPart(
  database: Database,
  databaseKind: DatabaseKind,
  { list, what, part }: { list: ListName; what: keyof typeof kindsOfParts; part: number },
): Promise<WrittenList> {
  const { columns, size } = kindsOfParts[what];
  const fields = sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(column)]));
  const array =
    databaseKind === 'postgres'
      ? sql`coalesce(json_agg(json_build_object(${fields})), '[]')::text`
      : sql`json_group_array(json_object(${fields}))`;
  const inOrder = database.selectFrom('activities').where('list', '=', list).orderBy('position');
  // This query uses only the index and does not read the rows before the part.
  const first = inOrder
    .select('position')
    .offset(part * size)
    .limit(1);
  const chosen = inOrder.select(columns).where('position', '>=', first).limit(size);
  const { version, total, activities } = await database
    .selectFrom('activityLists')
    .where('name', '=', list)
    .select((row) => [
      'version',
      row.selectFrom('activities').select(row.fn.countAll().as('count')).where('list', '=', list).as('total'),
      sql<string>`(select ${array} from ${chosen.as('chosen')})`.as('activities'),
    ])
    .executeTakeFirstOrThrow();
  const parts = Math.max(1, Math.ceil(Number(total) / size));
  return { version, json: `{${JSON.stringify(list)}:${activities},"parts":${parts}}`, parts };
}

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

/**
 * Returns one activity from any list.
 * @throws AppError `documents/not-found`
 */
export async function getActivity(database: Database, id: string): Promise<Activity> {
  const found = await findActivity(database, id);
  if (!found) throw new AppError('documents/not-found');
  return found;
}

/**
 * Appends an activity to the list of its axis.
 * @param editorId the user who creates it; null when a command creates it
 */
export async function createActivity(
  database: Database,
  input: Input,
  editorId: string | null,
): Promise<Activity> {
  const now = Date.now();
  const created: Activity = { id: newId(now), createdAt: now, updatedAt: now, ...input };
  await database.transaction().execute((transaction) => append(transaction, created, editorId));
  return created;
}

/**
 * Saves an edit, and moves the activity when its new axis belongs to another list.
 * @param list the list in which the editor saw the activity
 * @param tag the entity tag that the edit is based on
 * @param editorId the user who saves it
 * @throws AppError `documents/not-found`; `documents/precondition-failed` with the current activity and the
 * name of the admin who saved it last
 */
export async function updateActivity(
  database: Database,
  {
    list,
    id,
    tag,
    input,
    editorId,
  }: { list: ListName; id: string; tag: string; input: Input; editorId: string },
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
    const next: Activity = { ...current, ...input, updatedAt };
    if (target === list) {
      await transaction
        .updateTable('activities')
        .set({ ...input, updatedAt, updatedBy: editorId })
        .where('id', '=', id)
        .execute();
    } else {
      await transaction.deleteFrom('activities').where('id', '=', id).execute();
      await append(transaction, next, editorId);
    }
    return next;
  });
}

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

async function findActivity(database: Database, id: string): Promise<Activity | undefined> {
  return database.selectFrom('activities').select(activityColumns).where('id', '=', id).executeTakeFirst();
}

/** Returns the user who saved an activity last, for admins only; undefined when there is no such account. */
async function findEditor(database: Database, id: string): Promise<{ name: string } | undefined> {
  return database
    .selectFrom('activities')
    .innerJoin('users', 'users.id', 'activities.updatedBy')
    .select('users.displayName as name')
    .where('activities.id', '=', id)
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
