import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The same order read backwards: what is new goes to the end of the index, where nothing has to make room for it. */
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
