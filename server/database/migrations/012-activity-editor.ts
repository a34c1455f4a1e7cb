import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The user who saved an activity last. An admin whose edit is based on an older version sees the name. */
export const activityEditor: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['activities', 'deletedActivities'])
      await db.schema
        .alterTable(table)
        .addColumn('updatedBy', 'text', (column) => column.references('users.id').onDelete('set null'))
        .execute();
  },
};
