import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Makes lists of users fast: sorting by email address or sign-up time, searching in names and email
 * addresses, and reading the number of users without counting rows. Triggers update the search index and the
 * number in the transaction of each change (decision 14).
 */
export const peopleSearch: Migration = {
  async up(db: Kysely<unknown>) {
    const run = async (...statements: string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    };
    // The indexes contain "searchKey", so that a search can scan them without fetching rows.
    await run(
      'create index "usersByCreation" on users ("createdAt", id, "searchKey")',
      'create table "userTally" (change bigint not null)',
      'insert into "userTally" (change) select count(*) from users',
    );
    if (db.getExecutor().adapter instanceof SqliteAdapter) await run(...onSqlite);
    else await run(...onPostgres);
  },
};

/*
 * Two spaces precede every word of the key, so that the word's first letter and its first two letters also
 * form trigrams. The index needs a row number that survives VACUUM. `users` has none, so `userEntries`
 * provides it, with the columns that a search filters and sorts by.
 */
const onSqlite = [
  'create index "usersByEmail" on users (email, id, "searchKey")',
  `create table "userEntries" (number integer primary key, id text not null unique,
    "searchKey" text not null, email text not null, "createdAt" text not null)`,
  `create virtual table "usersSearch" using fts5(
    key, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
  `insert into "userEntries" (id, "searchKey", email, "createdAt")
    select id, "searchKey", email, "createdAt" from users`,
  `insert into "usersSearch" (rowid, key)
    select number, '  ' || replace("searchKey", ' ', '  ') from "userEntries"`,
  `create trigger "userAdded" after insert on users begin
    update "userTally" set change = change + 1;
    insert into "userEntries" (id, "searchKey", email, "createdAt")
      values (new.id, new."searchKey", new.email, new."createdAt");
    insert into "usersSearch" (rowid, key)
      select number, '  ' || replace(new."searchKey", ' ', '  ') from "userEntries" where id = new.id;
  end`,
  `create trigger "userChanged" after update of "searchKey", email, "createdAt" on users begin
    update "userEntries" set "searchKey" = new."searchKey", email = new.email, "createdAt" = new."createdAt"
      where id = new.id;
    update "usersSearch" set key = '  ' || replace(new."searchKey", ' ', '  ')
      where rowid = (select number from "userEntries" where id = new.id);
  end`,
  `create trigger "userRemoved" after delete on users begin
    update "userTally" set change = change - 1;
    delete from "usersSearch" where rowid = (select number from "userEntries" where id = old.id);
    delete from "userEntries" where id = old.id;
  end`,
];

/*
 * Each insert or delete adds a row to the tally, because sign-ups that update a single row would wait for
 * each other. The clean-up replaces the rows with their sum. Without pg_trgm, searches read the keys one by
 * one and give the same results.
 */
const onPostgres = [
  'create index "usersByEmail" on users (email collate "C", id, "searchKey")',
  `create function "tallyUsers"() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then insert into "userTally" (change) select count(*) from touched having count(*) > 0;
    else insert into "userTally" (change) select -count(*) from touched having count(*) > 0; end if;
    return null;
  end $$`,
  `create trigger "usersAdded" after insert on users referencing new table as touched
    for each statement execute function "tallyUsers"()`,
  `create trigger "usersRemoved" after delete on users referencing old table as touched
    for each statement execute function "tallyUsers"()`,
  `do $$
    declare "schema" text;
    begin
      if exists (select from pg_available_extensions where name = 'pg_trgm') then
        begin
          create extension if not exists pg_trgm;
        exception when insufficient_privilege then
          raise notice 'pg_trgm: %', sqlerrm;
        end;
      end if;
      select nspname into "schema"
        from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
      if "schema" is not null then
        execute format('create index "usersByTrigram" on users using gin ("searchKey" %I.gin_trgm_ops)', "schema");
      end if;
    end
  $$`,
];
