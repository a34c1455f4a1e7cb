import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/**
 * Stores the assets of all releases that run on this database, so that each can serve the assets of the
 * others.
 */
export const releaseAssets: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('releases')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seenAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('releaseAssets')
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('release', 'text', (column) =>
        column.notNull().references('releases.id').onDelete('cascade'),
      )
      .addColumn('content', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('releaseAssets_pkey', ['path', 'release'])
      .execute();
  },
};
