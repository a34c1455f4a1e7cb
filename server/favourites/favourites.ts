import type { FastifyInstance } from 'fastify';
import { type ActivitySummary, activitySummary } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { paths, routes } from '#contract/paths.ts';
import { type Favourites, favouriteInput, favouritePath } from '#contract/practices/favourites.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { parse } from '../http/parse.ts';
import { sendPrivate } from '../http/send-document.ts';
import { getUser, lockUser } from '../users/users.ts';

const summaryColumns = Object.keys(activitySummary.shape) as (keyof ActivitySummary)[];

/**
 * Reads a user's favourites, newest first. `missing` contains the ids of favourites that are now hidden or
 * deleted.
 */
async function listFavourites(database: Database, uid: string): Promise<Favourites> {
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
async function keepFavourite(
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
async function removeFavourite(database: Database, uid: string, id: string): Promise<void> {
  await database.deleteFrom('favourites').where('uid', '=', uid).where('activityId', '=', id).execute();
}

/** Registers the routes of favourites. Each route is about the caller's own favourites only. */
export async function favouriteRoutes(
  app: FastifyInstance,
  { context: { database, databaseKind } }: { context: AppContext },
) {
  app.get(paths.documents.favourites, async (request, reply) =>
    sendPrivate(reply, await listFavourites(database, requireSession(request).uid)),
  );

  app.put(routes.favourite, async (request, reply) => {
    const { id } = parse(favouritePath, request.params);
    const { keptAt } = parse(favouriteInput, request.body);
    await keepFavourite(database, databaseKind, { uid: requireSession(request).uid, id, keptAt });
    return reply.code(204).send();
  });

  app.delete(routes.favourite, async (request, reply) => {
    const { id } = parse(favouritePath, request.params);
    await removeFavourite(database, requireSession(request).uid, id);
    return reply.code(204).send();
  });
}
