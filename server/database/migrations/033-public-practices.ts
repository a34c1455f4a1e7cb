import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/**
 * Adds an index with everything that visitors' lists need to choose practices. Without it, SQLite reads the
 * whole text of each activity, because the columns after a text follow it in the file.
 */
export const publicPractices: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('activitiesForVisitors')
      .on('activities')
      .columns(['list', 'visibility', 'position', 'id', 'createdAt', 'updatedAt'])
      .columns(['minutes', 'audioSeconds', 'night', 'title'])
      .execute();
  },
};
