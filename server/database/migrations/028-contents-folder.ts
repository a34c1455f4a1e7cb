import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/** Adds the id of the data folder that contains the files of a site whose rows are on PostgreSQL. */
export const contentsFolder: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('installation').addColumn('folder', 'text').execute();
  },
};
