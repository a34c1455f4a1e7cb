import type { Activity, DeletedActivity } from '#contract/activity.ts';
import type { ListName } from '#contract/axes.ts';
import { limits } from '#contract/limits.ts';
import { deletedActivitiesStayMs } from '../database/clean-up.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { editorRoles } from '../permissions.ts';
import { activityColumns } from './activities.ts';
import { bumpVersions } from './list-versions.ts';

/**
 * Soft-deletes an activity, so that `restoreActivity` can restore it.
 * @throws AppError `documents/not-found`
 */
export async function deleteActivity(
  database: Database,
  { list, id, deletedBy }: { list: ListName; id: string; deletedBy: string },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await bumpVersions(transaction, [list]);
    const deletedCount = await softDeleteActivities(transaction, { list, ids: [id], deletedBy });
    if (deletedCount === 0) throw new AppError('documents/not-found');
  });
}

/**
 * Soft-deletes activities of a list and saves their positions. The caller must already have bumped the list's
 * version in this transaction.
 * @returns the number of activities found
 */
export async function softDeleteActivities(
  transaction: Database,
  { list, ids, deletedBy }: { list: ListName; ids: string[]; deletedBy: string | null },
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const deleted = await transaction
      .deleteFrom('activities')
      .where('list', '=', list)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) continue;
    count += 1;
    const previous = await findBefore(transaction, list, deleted.position);
    // The same activity may have been deleted before and imported again.
    await transaction.deleteFrom('deletedActivities').where('id', '=', id).execute();
    await transaction
      .insertInto('deletedActivities')
      .values({ ...deleted, previousId: previous?.id ?? null, deletedAt: Date.now(), deletedBy })
      .execute();
    await transaction
      .insertInto('goneActivities')
      .values({ id, list })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ list }))
      .execute();
  }
  return count;
}

/**
 * Lists the activities that can be restored, most recently deleted first, with the names of the editors
 * and admins who deleted them. It leaves out activities that were imported again meanwhile.
 */
export async function listDeletedActivities(
  database: Database,
  list: ListName,
  now = Date.now(),
): Promise<DeletedActivity[]> {
  const rows = await database
    .selectFrom('deletedActivities as deleted')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'deleted.deletedBy').on('users.member', 'in', editorRoles),
    )
    .leftJoin('activities as live', 'live.id', 'deleted.id')
    .select(['deleted.id', 'deleted.axis', 'deleted.title', 'deletedAt', 'users.displayName as deletedBy'])
    .where('deleted.list', '=', list)
    .where('deletedAt', '>', now - deletedActivitiesStayMs)
    .where('live.id', 'is', null)
    .orderBy('deletedAt', 'desc')
    .orderBy('deleted.id')
    .limit(limits.listedDeletions)
    .execute();
  return rows.map((row) => ({ ...row, restorableUntil: row.deletedAt + deletedActivitiesStayMs }));
}

/**
 * Restores a deleted activity with its id, times, content and position. If the whole list has been replaced
 * since the deletion, the old position means nothing. The activity then comes after the nearest activity that
 * preceded it and is still in the list, or first if there is none.
 * @throws AppError `documents/not-found` when the activity was never deleted, or was deleted too long ago;
 * `documents/conflict` when a list contains an activity with the same id
 */
export async function restoreActivity(database: Database, list: ListName, id: string): Promise<Activity> {
  return database.transaction().execute(async (transaction) => {
    const [bumped] = await bumpVersions(transaction, [list]);
    const deleted = await transaction
      .deleteFrom('deletedActivities')
      .where('list', '=', list)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw new AppError('documents/not-found');
    const live = await transaction
      .selectFrom('activities')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (live) throw new AppError('documents/conflict');

    const { previousId, deletedAt: _, deletedBy: __, ...activity } = deleted;
    const position = await positionFor(transaction, { list, position: deleted.position, previousId });
    const lastPosition = Math.max(bumped?.lastPosition ?? 0, await freePosition(transaction, list, position));
    await transaction
      .insertInto('activities')
      .values({ ...activity, position })
      .execute();
    await transaction.updateTable('activityLists').set({ lastPosition }).where('name', '=', list).execute();
    return transaction
      .selectFrom('activities')
      .select(activityColumns)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  });
}

type FormerPosition = { list: ListName; position: number; previousId: string | null };

/**
 * Returns the old position, unless the whole list has been written since. Then it returns the position after
 * the nearest former predecessor that is still in the list, or the first position.
 */
async function positionFor(
  transaction: Database,
  { list, position, previousId }: FormerPosition,
): Promise<number> {
  if (position > 0) return position;
  const passed = new Set<string>();
  let id = previousId;
  while (id !== null && !passed.has(id)) {
    const live = await transaction
      .selectFrom('activities')
      .select('position')
      .where('list', '=', list)
      .where('id', '=', id)
      .executeTakeFirst();
    if (live) return live.position + 1;
    passed.add(id);
    const gone = await transaction
      .selectFrom('deletedActivities')
      .select('previousId')
      .where('id', '=', id)
      .executeTakeFirst();
    id = gone?.previousId ?? null;
  }
  return 1;
}

async function findBefore(transaction: Database, list: ListName, position: number) {
  return transaction
    .selectFrom('activities')
    .select('id')
    .where('list', '=', list)
    .where('position', '<', position)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Frees `position`: increases the positions of the activity there and of all later ones by one, also those of
 * deleted activities. If `position` is already free, the function changes nothing.
 * @returns the last position of the list once an activity is at `position`
 */
async function freePosition(transaction: Database, list: ListName, position: number): Promise<number> {
  const taken = await transaction
    .selectFrom('activities')
    .select('id')
    .where('list', '=', list)
    .where('position', '=', position)
    .executeTakeFirst();
  if (taken) {
    for (const table of ['activities', 'deletedActivities'] as const)
      await transaction
        .updateTable(table)
        .set((row) => ({ position: row('position', '+', 1) }))
        .where('list', '=', list)
        .where('position', '>=', position)
        .execute();
  }
  const last = await transaction
    .selectFrom('activities')
    .select('position')
    .where('list', '=', list)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Math.max(position, last?.position ?? 0);
}

/**
 * Invalidates the saved positions of deleted activities, because a new order moves the others.
 */
export async function invalidatePositions(transaction: Database, list: ListName): Promise<void> {
  await transaction.updateTable('deletedActivities').set({ position: 0 }).where('list', '=', list).execute();
}
