import { type Kysely, SqliteAdapter } from 'kysely';
import { listNames } from '#contract/axes.ts';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Creates the tables of version 0.1.0. The tables of accounts and sessions are those of Better Auth. */
export const version01: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    const onSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    await runStatements(db, accounts(onSqlite));
    await runStatements(db, library);
    await runStatements(db, filesAndLimits);
    await runStatements(db, onSqlite ? searchOnSqlite : searchOnPostgres);
  },
};

function accounts(onSqlite: boolean): string[] {
  const [time, flag] = onSqlite ? ['text', 'integer'] : ['timestamptz', 'boolean'];
  // Both databases sort this column by bytes, so that both return the pages of a list in the same order.
  const sortable = onSqlite ? 'text' : 'text collate "C"';
  return [
    `create table users (
      id text primary key,
      "displayName" text not null,
      email text not null unique,
      "emailVerified" ${flag} not null,
      "profilePic" text,
      "createdAt" ${time} not null,
      "updatedAt" ${time} not null,
      member text not null,
      staff ${flag} not null,
      research ${flag} not null,
      category text,
      "searchKey" ${sortable} not null,
      "twoFactorEnabled" ${flag} default false not null
    )`,
    'create index "usersBySearchKey" on users ("searchKey", id)',
    'create index "usersByMember" on users (member)',
    `create table sessions (
      id text primary key,
      token text not null unique,
      "userId" text not null references users (id) on delete cascade,
      "expiresAt" ${time} not null,
      "ipAddress" text,
      "userAgent" text,
      "createdAt" ${time} not null,
      "updatedAt" ${time} not null
    )`,
    'create index "sessionsByUser" on sessions ("userId")',
    `create table accounts (
      id text primary key,
      "accountId" text not null,
      "providerId" text not null,
      "userId" text not null references users (id) on delete cascade,
      "accessToken" text,
      "refreshToken" text,
      "idToken" text,
      "accessTokenExpiresAt" ${time},
      "refreshTokenExpiresAt" ${time},
      scope text,
      password text,
      "createdAt" ${time} not null,
      "updatedAt" ${time} not null,
      constraint "accountsOncePerProvider" unique ("providerId", "accountId")
    )`,
    'create index "accountsByUser" on accounts ("userId")',
    `create table verifications (
      id text primary key,
      identifier text not null,
      value text not null,
      "expiresAt" ${time} not null,
      "createdAt" ${time} not null,
      "updatedAt" ${time} not null
    )`,
    'create index "verificationsByIdentifier" on verifications (identifier)',
    `create table "twoFactors" (
      id text primary key,
      "userId" text not null unique references users (id) on delete cascade,
      secret text not null,
      "backupCodes" text not null,
      verified ${flag} not null,
      "failedVerificationCount" integer,
      "lockedUntil" ${time}
    )`,
    'create table "firstAdminLinks" ("tokenHash" text primary key, "createdAt" bigint not null)',
    `create table "wordMood" (
      uid text primary key references users (id) on delete cascade,
      record text not null
    )`,
    // The access log copies the admin's name and id, so that an entry outlives the admin's account.
    `create table "accessLog" (
      id text primary key,
      at bigint not null,
      "subjectId" text not null references users (id) on delete cascade,
      "actorName" text not null,
      action text not null,
      what text not null,
      "actorId" text
    )`,
    'create index "accessLogBySubject" on "accessLog" ("subjectId", at)',
  ];
}

const library = [
  `create table "activityLists" (
    name text primary key,
    version bigint default 0 not null,
    "lastPosition" bigint default 0 not null
  )`,
  ...listNames.map((name) => `insert into "activityLists" (name) values ('${name}')`),
  `create table activities (
    id text primary key,
    list text not null references "activityLists" (name),
    position bigint not null,
    axis text not null,
    title text not null,
    url text not null,
    image text not null,
    audio text not null,
    content text not null,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    "updatedBy" text references users (id) on delete set null
  )`,
  'create unique index "activitiesInOrder" on activities (list, position)',
  // Read backwards. New entries go to the end of the index, where an insert is cheaper than at the start.
  'create index "activitiesByUpdate" on activities ("updatedAt", id desc)',
  `create table "deletedActivities" (
    id text primary key,
    list text not null references "activityLists" (name),
    position bigint not null,
    "previousId" text,
    "deletedAt" bigint not null,
    axis text not null,
    title text not null,
    url text not null,
    image text not null,
    audio text not null,
    content text not null,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    "updatedBy" text references users (id) on delete set null
  )`,
  'create index "deletedActivitiesByTime" on "deletedActivities" ("deletedAt")',
];

const filesAndLimits = [
  `create table files (
    path text primary key,
    key text not null unique,
    "ownerId" text references users (id) on delete set null,
    "contentType" text not null,
    "sizeBytes" bigint not null,
    "storedBytes" bigint not null,
    sha256 text not null,
    versions text not null,
    token text not null,
    width integer,
    height integer,
    "createdAt" bigint not null
  )`,
  'create index "filesByOwner" on files ("ownerId")',
  `create table uploads (
    id text primary key,
    "ownerId" text not null references users (id) on delete cascade,
    path text not null,
    key text not null unique,
    "storeState" text not null,
    "declaredType" text not null,
    "sizeBytes" bigint not null,
    "offsetBytes" bigint not null,
    sha256 text,
    "createdAt" bigint not null,
    "expiresAt" bigint not null,
    "finishedAt" bigint,
    holder text,
    "heldUntil" bigint default 0 not null,
    "wantedAt" bigint default 0 not null
  )`,
  'create index "uploadsByOwner" on uploads ("ownerId")',
  'create index "uploadsByExpiry" on uploads ("expiresAt")',
  `create table "uploadProofs" (
    "uploadId" text references uploads (id) on delete cascade,
    "proofId" text,
    constraint "uploadProofsKey" primary key ("uploadId", "proofId")
  )`,
  'create table "discardedContents" (key text primary key, "storeState" text not null)',
  'create table "spentProofs" (id text primary key, "expiresAt" bigint not null)',
  'create index "spentProofsByExpiry" on "spentProofs" ("expiresAt")',
  `create table "newsletterSubscribers" (
    id text primary key,
    email text not null unique,
    "consentedAt" bigint not null,
    "confirmedAt" bigint,
    "mailedAt" bigint not null
  )`,
  'create table attempts (key text primary key, count integer not null, "endsAt" bigint not null)',
  'create index "attemptsByEnd" on attempts ("endsAt")',
];

/*
 * Makes lists of users fast: sorting by email address or sign-up time, searching in names and email
 * addresses, and reading the number of users without counting rows. Triggers update the search index and the
 * number in the transaction of each change (decision 14).
 * The indexes contain "searchKey", so that a search can scan them without fetching rows.
 */
const search = [
  'create index "usersByCreation" on users ("createdAt", id, "searchKey")',
  'create table "userTally" (change bigint not null)',
  'insert into "userTally" (change) select count(*) from users',
];

/*
 * Two spaces precede every word of the key, so that the word's first letter and its first two letters also
 * form trigrams. The index needs a row number that survives VACUUM. `users` has none, so `userEntries`
 * provides it, with the columns that a search filters and sorts by.
 */
const searchOnSqlite = [
  ...search,
  'create index "usersByEmail" on users (email, id, "searchKey")',
  `create table "userEntries" (number integer primary key, id text not null unique,
    "searchKey" text not null, email text not null, "createdAt" text not null)`,
  `create virtual table "usersSearch" using fts5(
    key, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
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
 * PostgreSQL estimates from statistics how many keys contain a word. With its default of 100 entries per
 * column, it cannot distinguish two thousand matches from twenty thousand. After a wrong estimate, it
 * performs a sequential scan instead of using the index. So the number is 1,000.
 * Trigrams leave out symbols. So a separate index holds the few keys with three symbols in a row, or with a
 * word that begins with a symbol.
 */
const searchOnPostgres = [
  ...search,
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
  'alter table users alter column "searchKey" set statistics 1000',
  `create index "usersBySigns" on users ("searchKey", id)
    where "searchKey" ~ '(^| )[^a-z0-9 ]|[^a-z0-9 ]{3}'`,
  'analyze users',
];
