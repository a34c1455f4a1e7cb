import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the user who deleted an activity. Admins who may restore it see the name. */
export const activityDeleter: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('deletedActivities')
      .addColumn('deletedBy', 'text', (column) => column.references('users.id').onDelete('set null'))
      .execute();
  },
};
