import { type Activity, isPublic } from '#contract/activity.ts';
import { type ListName, listOf } from '#contract/axes.ts';
import type { PracticePage } from '#contract/practices/page.ts';
import type { Database } from '../database/connect.ts';
import { findActivity } from './activities.ts';
import { summaryColumns } from './public-practices.ts';

/** The number of other practices that the page of a practice offers. */
const othersCount = 3;

/** Reads what the page of a practice shows. It treats hidden activities as missing. */
export async function readPracticePage(database: Database, id: string): Promise<PracticePage> {
  const found = await findActivity(database, id);
  if (found && isPublic(found))
    return { practice: found, deleted: false, others: await readOthers(database, found) };
  const gone = await database
    .selectFrom('goneActivities')
    .select('list')
    .where('id', '=', id)
    .executeTakeFirst();
  if (found || !gone) return { practice: null, deleted: false, others: [] };
  return { practice: null, deleted: true, others: await publicIn(database, gone.list).execute() };
}

/** Returns the next public activities of the list. After the last one, it continues with the first ones. */
async function readOthers(database: Database, { id, axis }: Activity) {
  const position = database.selectFrom('activities').select('position').where('id', '=', id);
  const following = await publicIn(database, listOf(axis)).where('position', '>', position).execute();
  const missing = othersCount - following.length;
  if (missing === 0) return following;
  const first = await publicIn(database, listOf(axis))
    .where('position', '<', position)
    .limit(missing)
    .execute();
  return [...following, ...first];
}

const publicIn = (database: Database, list: ListName) =>
  database
    .selectFrom('activities')
    .select(summaryColumns)
    .where('list', '=', list)
    .where('visibility', '=', 'public')
    .orderBy('position')
    .limit(othersCount);
