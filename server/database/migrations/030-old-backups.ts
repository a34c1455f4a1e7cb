import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/** Adds the time when a new backup had deleted all backups that were too old. */
export const oldBackups: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('backupRuns').addColumn('oldDeletedAt', 'bigint').execute();
  },
};
