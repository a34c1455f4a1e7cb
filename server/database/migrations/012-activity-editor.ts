import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who saved an activity last: an admin whose edit comes too late is told the name. */
export const activityEditor: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['activities', 'deletedActivities'])
      await db.schema
        .alterTable(table)
        .addColumn('updatedBy', 'text', (column) => column.references('users.id').onDelete('set null'))
        .execute();
  },
};
