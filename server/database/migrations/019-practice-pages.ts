import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds to each activity its length, the need at night that it serves, and whether visitors may see it. The
 * length and the need help visitors to choose. Creates the table of the ids of deleted activities, so that
 * the pages of these activities can say that they were deleted.
 */
export const practicePages: Migration = {
  async up(db: Kysely<{ activities: { night: string; list: string; position: number } }>) {
    for (const table of ['activities', 'deletedActivities']) {
      await db.schema.alterTable(table).addColumn('minutes', 'integer').execute();
      await db.schema.alterTable(table).addColumn('audioSeconds', 'integer').execute();
      for (const [name, initial] of [
        ['night', ''],
        ['visibility', 'public'],
      ] as const)
        await db.schema
          .alterTable(table)
          .addColumn(name, 'text', (column) => column.notNull().defaultTo(initial))
          .execute();
    }
    await db.schema
      .createIndex('activitiesForTheNight')
      .on('activities')
      .columns(['list', 'position'])
      .where(sql.ref('night'), '<>', sql.lit(''))
      .execute();
    await db.schema
      .createTable('goneActivities')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('list', 'text', (column) => column.notNull().references('activityLists.name'))
      .execute();
  },
};
