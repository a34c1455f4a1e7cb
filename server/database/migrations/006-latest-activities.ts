import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An index, so that the dashboard finds the last changes without reading every text. */
export const latestActivities: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('activitiesByUpdate')
      .on('activities')
      .columns(['updatedAt desc', 'id'])
      .execute();
  },
};
