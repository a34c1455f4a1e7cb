import type { ListName } from '#contract/axes.ts';
import type { Database } from '../database/connect.ts';

/**
 * Invalidates the saved positions of deleted activities, because a whole-list write assigns new positions.
 */
export async function invalidatePositions(transaction: Database, list: ListName): Promise<void> {
  await transaction.updateTable('deletedActivities').set({ position: 0 }).where('list', '=', list).execute();
}

/**
 * Completes a change of several positions. The positions in a list must be unique at every moment, so the
 * caller first writes the new positions as negative numbers.
 */
export async function makePositionsPositive(transaction: Database, list: ListName): Promise<void> {
  await transaction
    .updateTable('activities')
    .set((row) => ({ position: row.neg(row.ref('position')) }))
    .where('list', '=', list)
    .where('position', '<', 0)
    .execute();
}
