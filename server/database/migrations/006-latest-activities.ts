import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds an index, so that the dashboard finds the latest changes without reading all activities. */
export const latestActivities: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('activitiesByUpdate')
      .on('activities')
      .columns(['updatedAt desc', 'id'])
      .execute();
  },
};
