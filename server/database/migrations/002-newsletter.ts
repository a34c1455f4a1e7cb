import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates the tables of newsletter subscribers and of spent proofs of work. */
export const newsletter: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('spentProofs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('spentProofsByExpiry').on('spentProofs').column('expiresAt').execute();

    await db.schema
      .createTable('newsletterSubscribers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('consentedAt', 'bigint', (column) => column.notNull())
      .addColumn('confirmedAt', 'bigint')
      .addColumn('mailedAt', 'bigint', (column) => column.notNull())
      .execute();
  },
};
