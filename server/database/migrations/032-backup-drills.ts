import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/** Adds to each backup the time when a drill last restored it. */
export const backupDrills: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('backupRuns').addColumn('drilledAt', 'bigint').execute();
  },
};
