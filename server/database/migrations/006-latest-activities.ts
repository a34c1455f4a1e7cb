import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The dashboard finds what was changed last without reading every text. */
export const latestActivities: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('activitiesByUpdate')
      .on('activities')
      .columns(['updatedAt desc', 'id'])
      .execute();
  },
};
