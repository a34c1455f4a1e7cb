import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Helps PostgreSQL to find users fast among a million (decision 14). PostgreSQL estimates from statistics how
 * many keys contain a word. With its default of 100 entries per column, it cannot distinguish two thousand
 * matches from twenty thousand. After a wrong estimate, it performs a sequential scan instead of using the
 * index. So this migration raises the number to 1,000.
 * Trigrams leave out symbols. So a separate index holds the few keys with three symbols in a row, or with a
 * word that begins with a symbol.
 */
export const searchOnPostgres: Migration = {
  async up(db: Kysely<unknown>) {
    if (db.getExecutor().adapter instanceof SqliteAdapter) return;
    await sql`alter table users alter column "searchKey" set statistics 1000`.execute(db);
    await sql`create index "usersBySigns" on users ("searchKey", id)
      where "searchKey" ~ '(^| )[^a-z0-9 ]|[^a-z0-9 ]{3}'`.execute(db);
    await sql`analyze users`.execute(db);
  },
};
