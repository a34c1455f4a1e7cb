import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Creates the table that counts how often visitors used each activity in each month. `activityId` is not a
 * foreign key, because the totals of a deleted activity stay until they expire.
 */
export const practiceTotals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('practiceTotals')
      .addColumn('activityId', 'text', (column) => column.notNull())
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('opened', 'integer', (column) => column.notNull())
      .addColumn('played', 'integer', (column) => column.notNull())
      .addColumn('finished', 'integer', (column) => column.notNull())
      // The month comes first, because queries read and delete whole months.
      .addPrimaryKeyConstraint('practiceTotals_pkey', ['month', 'activityId'])
      .execute();
  },
};
