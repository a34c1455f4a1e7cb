import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Reverses the index, which the database then reads backwards. New entries go to the end of the index, which
 * is cheaper than the start.
 */
export const latestAtTheEnd: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('activitiesByUpdate').execute();
    await db.schema
      .createIndex('activitiesByUpdate')
      .on('activities')
      .columns(['updatedAt', 'id desc'])
      .execute();
  },
};
