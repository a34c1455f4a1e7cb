import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates the table of soft-deleted activities, with the data to restore them at their old positions. */
export const deletedActivities: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('deletedActivities')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('list', 'text', (column) => column.notNull().references('activityLists.name'))
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('previousId', 'text')
      .addColumn('deletedAt', 'bigint', (column) => column.notNull())
      .addColumn('axis', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('image', 'text', (column) => column.notNull())
      .addColumn('audio', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('updatedAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('deletedActivitiesByTime')
      .on('deletedActivities')
      .column('deletedAt')
      .execute();
  },
};
