import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates the tables of stored files, of unfinished uploads, and of contents to be removed. */
export const files: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('files')
      .addColumn('path', 'text', (column) => column.primaryKey())
      .addColumn('key', 'text', (column) => column.notNull().unique())
      .addColumn('ownerId', 'text', (column) => column.references('users.id').onDelete('set null'))
      .addColumn('contentType', 'text', (column) => column.notNull())
      .addColumn('sizeBytes', 'bigint', (column) => column.notNull())
      .addColumn('storedBytes', 'bigint', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('versions', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('width', 'integer')
      .addColumn('height', 'integer')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('filesByOwner').on('files').column('ownerId').execute();
    await db.schema
      .createTable('uploads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('ownerId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull().unique())
      .addColumn('storeState', 'text', (column) => column.notNull())
      .addColumn('declaredType', 'text', (column) => column.notNull())
      .addColumn('sizeBytes', 'bigint', (column) => column.notNull())
      .addColumn('offsetBytes', 'bigint', (column) => column.notNull())
      .addColumn('sha256', 'text')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .addColumn('finishedAt', 'bigint')
      .addColumn('holder', 'text')
      .addColumn('heldUntil', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('wantedAt', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('uploadsByOwner').on('uploads').column('ownerId').execute();
    await db.schema.createIndex('uploadsByExpiry').on('uploads').column('expiresAt').execute();
    await db.schema
      .createTable('uploadProofs')
      .addColumn('uploadId', 'text', (column) => column.references('uploads.id').onDelete('cascade'))
      .addColumn('proofId', 'text')
      .addPrimaryKeyConstraint('uploadProofsKey', ['uploadId', 'proofId'])
      .execute();
    await db.schema
      .createTable('discardedContents')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('storeState', 'text', (column) => column.notNull())
      .execute();
  },
};
