import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Creates the table of activities that users keep. `activityId` is not a foreign key, because a soft-deleted
 * activity can be restored, and an activity that changes its list has no row for a moment.
 */
export const favourites: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('favourites')
      .addColumn('uid', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('activityId', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('favourites_pkey', ['uid', 'activityId'])
      .execute();
  },
};
