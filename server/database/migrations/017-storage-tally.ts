import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Creates `storageTally`. The sum of `change` is the number of bytes that finished files take and that
 * unfinished uploads have reserved. Triggers update it in the transaction of each change, so that no upload
 * has to add up all files.
 */
export const storageTally: Migration = {
  async up(db: Kysely<unknown>) {
    const run = async (...statements: string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    };
    await run(
      'create table "storageTally" (change bigint not null)',
      `insert into "storageTally" (change) select
        coalesce((select sum("storedBytes") from files), 0) +
        coalesce((select sum("sizeBytes") from uploads where "finishedAt" is null), 0)`,
    );
    if (db.getExecutor().adapter instanceof SqliteAdapter) await run(...onSqlite);
    else await run(...onPostgres);
  },
};

const onSqlite = [
  `create trigger "fileAdded" after insert on files begin
    update "storageTally" set change = change + new."storedBytes";
  end`,
  `create trigger "fileRemoved" after delete on files begin
    update "storageTally" set change = change - old."storedBytes";
  end`,
  `create trigger "uploadBegun" after insert on uploads when new."finishedAt" is null begin
    update "storageTally" set change = change + new."sizeBytes";
  end`,
  `create trigger "uploadFinished" after update of "finishedAt" on uploads
    when old."finishedAt" is null and new."finishedAt" is not null begin
    update "storageTally" set change = change - old."sizeBytes";
  end`,
  `create trigger "uploadRemoved" after delete on uploads when old."finishedAt" is null begin
    update "storageTally" set change = change - old."sizeBytes";
  end`,
];

/*
 * Each change adds a row, because uploads that update a single row would wait for each other. The clean-up
 * replaces the rows with their sum.
 */
const onPostgres = [
  `create function "tallyFiles"() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then insert into "storageTally" (change) values (new."storedBytes");
    else insert into "storageTally" (change) values (-old."storedBytes"); end if;
    return null;
  end $$`,
  `create function "tallyUploads"() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then insert into "storageTally" (change) values (new."sizeBytes");
    else insert into "storageTally" (change) values (-old."sizeBytes"); end if;
    return null;
  end $$`,
  `create trigger "filesTallied" after insert or delete on files
    for each row execute function "tallyFiles"()`,
  `create trigger "uploadBegun" after insert on uploads
    for each row when (new."finishedAt" is null) execute function "tallyUploads"()`,
  `create trigger "uploadFinished" after update of "finishedAt" on uploads
    for each row when (old."finishedAt" is null and new."finishedAt" is not null)
    execute function "tallyUploads"()`,
  `create trigger "uploadRemoved" after delete on uploads
    for each row when (old."finishedAt" is null) execute function "tallyUploads"()`,
];
