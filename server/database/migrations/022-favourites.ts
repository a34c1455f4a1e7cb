import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The activities that users keep. `activityId` is no foreign key: a soft-deleted activity can be restored, and
 * moves between lists delete its row for a moment.
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
