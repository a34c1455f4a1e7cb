import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds the user who saved an activity last. An admin whose own edit began before that save gets an error with
 * this user's name.
 */
export const activityEditor: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['activities', 'deletedActivities'])
      await db.schema
        .alterTable(table)
        .addColumn('updatedBy', 'text', (column) => column.references('users.id').onDelete('set null'))
        .execute();
  },
};
