import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates the tables of the published versions of the site content and of the draft of the next version. */
export const siteContent: Migration = {
  async up(db: Kysely<{ siteState: { id: number; version: number; revision: number } }>) {
    await db.schema
      .createTable('siteState')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .execute();
    await db.insertInto('siteState').values({ id: 1, version: 0, revision: 0 }).execute();
    await db.schema
      .createTable('siteVersions')
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('publishedAt', 'bigint', (column) => column.notNull())
      .addColumn('publishedBy', 'text', (column) => column.references('users.id').onDelete('set null'))
      .execute();
    await db.schema
      .createTable('siteDrafts')
      .addColumn('section', 'text', (column) => column.primaryKey())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('updatedAt', 'bigint', (column) => column.notNull())
      .addColumn('updatedBy', 'text', (column) => column.references('users.id').onDelete('set null'))
      .execute();
  },
};
