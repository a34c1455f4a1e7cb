import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Creates the tables that backups and moves need: running servers, leases, past backups, deleted accounts.
 */
export const backups: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('instances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seenAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('leases')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('heldUntil', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('backupRuns')
      .addColumn('startedAt', 'bigint', (column) => column.primaryKey())
      .addColumn('finishedAt', 'bigint')
      .addColumn('snapshot', 'text')
      .addColumn('storedBytes', 'bigint', (column) => column.notNull())
      .addColumn('verifiedAt', 'bigint')
      .execute();
    await db.schema
      .createTable('deletedAccounts')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .execute();
    await db.schema
      .createTable('deletedAccountsKey')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('key', 'text', (column) => column.notNull())
      .execute();
  },
};
