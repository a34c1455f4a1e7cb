import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds to each activity what visitors need to choose it: its length and the need at night that it is for; also
 * whether they may see it. Creates the table of deleted activities' ids, so that their pages say that they
 * existed.
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
