import { type ActivitySummary, activitySummary } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import type { Favourites } from '#contract/practices/favourites.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { getUser, lockUser } from '../users/users.ts';

const summaryColumns = Object.keys(activitySummary.shape) as (keyof ActivitySummary)[];

/**
 * Reads a user's favourites, newest first. `missing` contains the ids of favourites that are now hidden or
 * deleted.
 */
export async function listFavourites(database: Database, uid: string): Promise<Favourites> {
  const kept = await database
    .selectFrom('favourites')
    .select(['activityId', 'createdAt'])
    .where('uid', '=', uid)
    .orderBy('createdAt', 'desc')
    .orderBy('activityId')
    .execute();
  const shown = await database
    .selectFrom('activities')
    .select(summaryColumns)
    .where('visibility', '=', 'public')
    .where((row) => row('id', 'in', row.selectFrom('favourites').select('activityId').where('uid', '=', uid)))
    .execute();
  const summaries = new Map(shown.map((summary) => [summary.id, summary]));
  return {
    documents: kept.flatMap(({ activityId, createdAt }) => {
      const summary = summaries.get(activityId);
      return summary ? [{ ...summary, keptAt: createdAt }] : [];
    }),
    missing: kept.map(({ activityId }) => activityId).filter((id) => !summaries.has(id)),
  };
}

/**
 * Adds a public activity to a user's favourites. If it already is a favourite, nothing changes.
 * @param keptAt when the user first kept it, in epoch milliseconds; a time in the future counts as now
 * @throws AppError `documents/not-found` when no public activity has this id; `documents/too-many-favourites`
 */
export async function keepFavourite(
  database: Database,
  kind: DatabaseKind,
  { uid, id, keptAt }: { uid: string; id: string; keptAt: number | undefined },
): Promise<void> {
  const now = Date.now();
  await database.transaction().execute(async (transaction) => {
    // The lock makes a user's writes run one after another, so that together they cannot exceed the limit.
    // `getUser` throws if the account was deleted meanwhile.
    await lockUser(transaction, kind, uid);
    await getUser(transaction, uid);
    const activity = await transaction
      .selectFrom('activities')
      .select('id')
      .where('id', '=', id)
      .where('visibility', '=', 'public')
      .executeTakeFirst();
    if (!activity) throw new AppError('documents/not-found');
    const others = await transaction
      .selectFrom('favourites')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('uid', '=', uid)
      .where('activityId', '<>', id)
      .executeTakeFirstOrThrow();
    if (Number(others.count) >= limits.favouritesMaxItems)
      throw new AppError('documents/too-many-favourites');
    await transaction
      .insertInto('favourites')
      .values({ uid, activityId: id, createdAt: Math.min(keptAt ?? now, now) })
      .onConflict((conflict) => conflict.columns(['uid', 'activityId']).doNothing())
      .execute();
  });
}

/** Removes an activity from a user's favourites, whether or not the activity is public. */
export async function removeFavourite(database: Database, uid: string, id: string): Promise<void> {
  await database.deleteFrom('favourites').where('uid', '=', uid).where('activityId', '=', id).execute();
}
