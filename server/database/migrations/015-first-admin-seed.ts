import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Creates the table for the seed of the link that makes the first admin; it has at most one row. All
 * instances derive the same link from the seed and AUTH_SECRET.
 */
export const firstAdminSeed: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropTable('firstAdminLinks').ifExists().execute();
    await db.schema
      .createTable('firstAdminLinks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seed', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
  },
};
