import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/** Adds to each backup the time when it had deleted all backups that had passed their retention time. */
export const oldBackups: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('backupRuns').addColumn('oldDeletedAt', 'bigint').execute();
  },
};
