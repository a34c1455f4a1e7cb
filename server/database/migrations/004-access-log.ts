import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who of the admins read or changed whose data. It goes with the person it is about. */
export const accessLog: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('accessLog')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('subjectId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      // The name as it was: it stays readable when the admin's account is gone.
      .addColumn('actorName', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('accessLogBySubject').on('accessLog').columns(['subjectId', 'at']).execute();
  },
};
