import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { listNames } from '#contract/axes.ts';

/**
 * Creates the tables of accounts and sessions (as Better Auth defines them), the library and the mood
 * records.
 */
export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    const onSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const time = onSqlite ? sql`text` : sql`timestamptz`;
    const flag = onSqlite ? sql`integer` : sql`boolean`;
    // Both databases sort these columns by bytes, so that both return the pages of a list in the same order.
    const sortable = onSqlite ? sql`text` : sql`text collate "C"`;

    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('displayName', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('emailVerified', flag, (column) => column.notNull())
      .addColumn('profilePic', 'text')
      .addColumn('createdAt', time, (column) => column.notNull())
      .addColumn('updatedAt', time, (column) => column.notNull())
      .addColumn('member', 'text', (column) => column.notNull())
      .addColumn('staff', flag, (column) => column.notNull())
      .addColumn('research', flag, (column) => column.notNull())
      .addColumn('category', 'text')
      .addColumn('searchKey', sortable, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('usersBySearchKey').on('users').columns(['searchKey', 'id']).execute();
    await db.schema.createIndex('usersByMember').on('users').column('member').execute();

    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('token', 'text', (column) => column.notNull().unique())
      .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('expiresAt', time, (column) => column.notNull())
      .addColumn('ipAddress', 'text')
      .addColumn('userAgent', 'text')
      .addColumn('createdAt', time, (column) => column.notNull())
      .addColumn('updatedAt', time, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sessionsByUser').on('sessions').column('userId').execute();

    await db.schema
      .createTable('accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull())
      .addColumn('providerId', 'text', (column) => column.notNull())
      .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('accessToken', 'text')
      .addColumn('refreshToken', 'text')
      .addColumn('idToken', 'text')
      .addColumn('accessTokenExpiresAt', time)
      .addColumn('refreshTokenExpiresAt', time)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('createdAt', time, (column) => column.notNull())
      .addColumn('updatedAt', time, (column) => column.notNull())
      .addUniqueConstraint('accountsOncePerProvider', ['providerId', 'accountId'])
      .execute();
    await db.schema.createIndex('accountsByUser').on('accounts').column('userId').execute();

    await db.schema
      .createTable('verifications')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('expiresAt', time, (column) => column.notNull())
      .addColumn('createdAt', time, (column) => column.notNull())
      .addColumn('updatedAt', time, (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('verificationsByIdentifier')
      .on('verifications')
      .column('identifier')
      .execute();

    await db.schema
      .createTable('firstAdminLinks')
      .addColumn('tokenHash', 'text', (column) => column.primaryKey())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('wordMood')
      .addColumn('uid', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('record', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('activityLists')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('lastPosition', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    for (const name of listNames) {
      await sql`insert into ${sql.table('activityLists')} (name) values (${name})`.execute(db);
    }

    await db.schema
      .createTable('activities')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('list', 'text', (column) => column.notNull().references('activityLists.name'))
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('axis', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('image', 'text', (column) => column.notNull())
      .addColumn('audio', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('updatedAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('activitiesInOrder')
      .on('activities')
      .columns(['list', 'position'])
      .unique()
      .execute();
  },
};
