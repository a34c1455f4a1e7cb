import type { PersonalData } from '../database/personal-data.ts';
import { bumpVersions } from './list-versions.ts';

export const libraryData: PersonalData = {
  tables: ['activities', 'deletedActivities'],

  async exportFor(database, { uid }) {
    const [live, deleted] = await Promise.all(
      (['activities', 'deletedActivities'] as const).map((table) =>
        database
          .selectFrom(table)
          .select(['id', 'title', 'updatedAt as savedAt'])
          .where('updatedBy', '=', uid)
          .orderBy('updatedAt')
          .execute(),
      ),
    );
    const deletedActivities = await database
      .selectFrom('deletedActivities')
      .select(['id', 'title', 'deletedAt'])
      .where('deletedBy', '=', uid)
      .orderBy('deletedAt')
      .execute();
    return { savedActivities: [...(live ?? []), ...(deleted ?? [])], deletedActivities };
  },

  async deleteFor(transaction, { uid }) {
    // Activities stay. Their foreign keys `updatedBy` and `deletedBy` become null when the user is deleted.
    // The lists get new versions, because instances cache summaries, which contain the user's name.
    const lists = await transaction
      .selectFrom('activities')
      .select('list')
      .distinct()
      .where('updatedBy', '=', uid)
      .execute();
    await bumpVersions(
      transaction,
      lists.map(({ list }) => list),
    );
  },
};
