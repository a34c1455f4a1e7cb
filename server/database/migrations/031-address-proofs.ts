import type { Kysely } from 'kysely';
import type { ReleasedMigration } from './released-migration.ts';

/**
 * Creates the tables of verification links and of known browsers. Verification links of earlier versions
 * named no browser, so they are no longer valid.
 */
export const addressProofs: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('verificationLinks')
      .addColumn('token', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('browser', 'text', (column) => column.notNull())
      .addColumn('displayName', 'text')
      .addColumn('password', 'text')
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('verificationLinks_email').on('verificationLinks').column('email').execute();
    await db.schema
      .createTable('knownBrowsers')
      .addColumn('mark', 'text', (column) => column.primaryKey())
      .addColumn('uid', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('signedInAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('knownBrowsers_uid').on('knownBrowsers').column('uid').execute();
  },
};
