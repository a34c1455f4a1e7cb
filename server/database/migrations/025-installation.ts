import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates a row that records where the contents of files are, and which move is unfinished. */
export const installation: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('installation')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('contents', 'text')
      .addColumn('move', 'text')
      .execute();
    await sql`insert into ${sql.table('installation')} (id) values (1)`.execute(db);
  },
};
