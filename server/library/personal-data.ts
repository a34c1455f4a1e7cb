import type { PersonalData } from '../database/personal-data.ts';

export const libraryData: PersonalData<'savedActivities'> = {
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
    return { savedActivities: [...(live ?? []), ...(deleted ?? [])] };
  },

  async deleteFor() {
    // Activities stay. Their foreign key `updatedBy` becomes null when the user is deleted.
  },
};
