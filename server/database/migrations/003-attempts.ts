import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates the table that counts attempts, so that rate limits apply across restarts and instances. */
export const attempts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('attempts')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('endsAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('attemptsByEnd').on('attempts').column('endsAt').execute();
  },
};
