import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The user who deleted an activity, for the admins who may restore it. */
export const activityDeleter: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('deletedActivities')
      .addColumn('deletedBy', 'text', (column) => column.references('users.id').onDelete('set null'))
      .execute();
  },
};
