import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Creates the access log, which records when admins read or change users' data. The entries about a user are
 * deleted with the user.
 */
export const accessLog: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('accessLog')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('subjectId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      // The entry copies the name, so that the entry stays readable after the admin's account is deleted.
      .addColumn('actorName', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('accessLogBySubject').on('accessLog').columns(['subjectId', 'at']).execute();
  },
};
