import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/**
 * Adds the place of the backups, the time when the hash of a deleted account was stored there, and the number
 * of damaged parts that a check of a backup has found.
 */
export const backupPlace: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('backupPlace')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('place', 'text', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('deletedAccounts').addColumn('storedAt', 'bigint').execute();
    await db.schema.alterTable('backupRuns').addColumn('damagedParts', 'integer').execute();
  },
};
