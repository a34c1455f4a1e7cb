import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What PostgreSQL needs beside its trigrams to find people fast among a million (decision 14). How many keys hold a
 * word it guesses from samples: a hundred are too few to tell two thousand from twenty thousand, and with the wrong
 * guess it reads the table instead of the index. And signs are in no trigram: the few keys with a word that begins
 * with one, or with three in a row, have an index of their own.
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
