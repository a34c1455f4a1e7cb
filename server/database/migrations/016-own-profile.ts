import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds two flags: whether the user has chosen the name, and the picture, on this site. If so, a sign-in with
 * Google does not replace it. `ownName` becomes true for users without a Google account, because they chose
 * their name at sign-up.
 */
export const ownProfile: Migration = {
  async up(db: Kysely<unknown>) {
    const flag = db.getExecutor().adapter instanceof SqliteAdapter ? sql`integer` : sql`boolean`;
    for (const name of ['ownName', 'ownPicture']) {
      await db.schema
        .alterTable('users')
        .addColumn(name, flag, (column) => column.notNull().defaultTo(sql`false`))
        .execute();
    }
    await sql`update ${sql.table('users')} set "ownName" = true where not exists
      (select 1 from ${sql.table('accounts')} where "userId" = users.id and "providerId" = 'google')`.execute(
      db,
    );
    // A picture whose URL is a path on this site was uploaded by the user.
    await sql`update ${sql.table('users')} set "ownPicture" = true where "profilePic" like '/%'`.execute(db);
  },
};
