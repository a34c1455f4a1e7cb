import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates the table of encrypted secrets and recovery codes of accounts with a second factor. */
export const secondFactor: Migration = {
  async up(db: Kysely<unknown>) {
    const onSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const time = onSqlite ? sql`text` : sql`timestamptz`;
    const flag = onSqlite ? sql`integer` : sql`boolean`;
    await db.schema
      .alterTable('users')
      .addColumn('twoFactorEnabled', flag, (column) => column.notNull().defaultTo(sql`false`))
      .execute();
    await db.schema
      .createTable('twoFactors')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('userId', 'text', (column) =>
        column.notNull().unique().references('users.id').onDelete('cascade'),
      )
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('backupCodes', 'text', (column) => column.notNull())
      .addColumn('verified', flag, (column) => column.notNull())
      .addColumn('failedVerificationCount', 'integer')
      .addColumn('lockedUntil', time)
      .execute();
  },
};
