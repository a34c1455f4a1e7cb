import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * At most one row: the seed of the link that makes the first admin. All instances derive the same link from
 * it and AUTH_SECRET.
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
