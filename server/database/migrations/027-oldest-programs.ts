import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/**
 * Creates the table that tells older programs whether they can run after migrations that they do not know.
 */
export const oldestPrograms: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('oldestPrograms')
      .addColumn('migration', 'text', (column) => column.primaryKey())
      .addColumn('version', 'text', (column) => column.notNull())
      .execute();
  },
};
