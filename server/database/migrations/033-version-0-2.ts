import { createHash } from 'node:crypto';
import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Changes the tables of version 0.1.0 to those of version 0.2.0. */
export const version02: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db: Kysely<unknown>) {
    const onSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    await protectTokens(db);
    await runStatements(db, accounts(onSqlite ? 'integer' : 'boolean'));
    await createStorageTally(db, onSqlite);
    await runStatements(db, library);
    await runStatements(db, siteContent);
    await runStatements(db, operation);
  },
};

/**
 * Replaces the tokens of sessions and verifications with their hashes. Open sessions and mailed links stay
 * valid. Removes Google's tokens, which the server never uses.
 */
export async function protectTokens<Tables>(db: Kysely<Tables>): Promise<void> {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');
  const sessions = await sql<{ id: string; token: string }>`select id, token from sessions`.execute(db);
  for (const { id, token } of sessions.rows)
    await sql`update sessions set token = ${hashOf(token)} where id = ${id}`.execute(db);
  const verifications = await sql<{ id: string; identifier: string }>`
    select id, identifier from verifications`.execute(db);
  for (const { id, identifier } of verifications.rows) {
    const [purpose = ''] = /^[a-z-]+:/.exec(identifier) ?? [];
    const hashed = purpose + hashOf(identifier);
    await sql`update verifications set identifier = ${hashed} where id = ${id}`.execute(db);
  }
  await sql`update accounts set "accessToken" = null, "refreshToken" = null, "idToken" = null,
    "accessTokenExpiresAt" = null, "refreshTokenExpiresAt" = null`.execute(db);
}

const accounts = (flag: string) => [
  // At most one row: all instances derive the link that makes the first admin from this seed and AUTH_SECRET.
  'drop table "firstAdminLinks"',
  `create table "firstAdminLinks" (
    id text primary key,
    seed text not null,
    "createdAt" bigint not null
  )`,
  // A name or picture that the user has chosen on this site is not replaced by a sign-in with Google.
  `alter table users add column "ownName" ${flag} default false not null`,
  `alter table users add column "ownPicture" ${flag} default false not null`,
  `update users set "ownName" = true where not exists
    (select 1 from accounts where "userId" = users.id and "providerId" = 'google')`,
  // A picture whose URL is a path on this site was uploaded by the user.
  `update users set "ownPicture" = true where "profilePic" like '/%'`,
  // Finds the password hashes that came from Firebase without reading all accounts.
  `create index "accountsImported" on accounts (password)
    where substr(password, 1, 9) = 'firebase:'`,
  `create table "verificationLinks" (
    token text primary key,
    email text not null,
    browser text not null,
    "displayName" text,
    password text,
    "expiresAt" bigint not null
  )`,
  'create index "verificationLinks_email" on "verificationLinks" (email)',
  `create table "knownBrowsers" (
    mark text primary key,
    uid text not null references users (id) on delete cascade,
    "signedInAt" bigint not null
  )`,
  'create index "knownBrowsers_uid" on "knownBrowsers" (uid)',
];

/**
 * Creates `storageTally`. The sum of `change` is the number of bytes that finished files take and that
 * unfinished uploads have reserved. Triggers update it in the transaction of each change, so that no upload
 * has to add up all files.
 */
export async function createStorageTally<Tables>(db: Kysely<Tables>, onSqlite: boolean): Promise<void> {
  await runStatements(db, [
    'create table "storageTally" (change bigint not null)',
    `insert into "storageTally" (change) select
      coalesce((select sum("storedBytes") from files), 0) +
      coalesce((select sum("sizeBytes") from uploads where "finishedAt" is null), 0)`,
    ...(onSqlite ? tallyOnSqlite : tallyOnPostgres),
  ]);
}

const tallyOnSqlite = [
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
const tallyOnPostgres = [
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

const library = [
  ...['activities', 'deletedActivities'].flatMap((table) => [
    `alter table "${table}" add column minutes integer`,
    `alter table "${table}" add column "audioSeconds" integer`,
    `alter table "${table}" add column night text default '' not null`,
    `alter table "${table}" add column visibility text default 'public' not null`,
  ]),
  'alter table "deletedActivities" add column "deletedBy" text references users (id) on delete set null',
  `create index "activitiesForTheNight" on activities (list, position) where night <> ''`,
  // Has everything that visitors' lists need to choose practices. Without it, SQLite reads the whole text of
  // each activity, because the columns after a text follow it in the file.
  `create index "activitiesForVisitors" on activities (list, visibility, position, id, "createdAt",
    "updatedAt", minutes, "audioSeconds", night, title)`,
  // The ids of deleted activities, so that the pages of these activities can say that they were deleted.
  `create table "goneActivities" (
    id text primary key,
    list text not null references "activityLists" (name)
  )`,
  // `activityId` is not a foreign key, because the totals of a deleted activity stay until they expire. The
  // month comes first in the key, because queries read and delete whole months.
  `create table "practiceTotals" (
    "activityId" text not null,
    month text not null,
    opened integer not null,
    played integer not null,
    finished integer not null,
    constraint "practiceTotals_pkey" primary key (month, "activityId")
  )`,
  // `activityId` is not a foreign key, because a soft-deleted activity can be restored, and an activity that
  // changes its list has no row for a moment.
  `create table favourites (
    uid text not null references users (id) on delete cascade,
    "activityId" text not null,
    "createdAt" bigint not null,
    constraint "favourites_pkey" primary key (uid, "activityId")
  )`,
];

const siteContent = [
  `create table "siteState" (
    id integer primary key,
    version integer not null,
    revision integer not null
  )`,
  'insert into "siteState" (id, version, revision) values (1, 0, 0)',
  `create table "siteVersions" (
    version integer primary key,
    content text not null,
    note text not null,
    "publishedAt" bigint not null,
    "publishedBy" text references users (id) on delete set null
  )`,
  `create table "siteDrafts" (
    section text primary key,
    content text not null,
    "updatedAt" bigint not null,
    "updatedBy" text references users (id) on delete set null
  )`,
];

/** Tables of instances, backups, moves and releases. */
const operation = [
  'create table instances (id text primary key, "seenAt" bigint not null)',
  'create table leases (name text primary key, holder text not null, "heldUntil" bigint not null)',
  `create table "backupRuns" (
    "startedAt" bigint primary key,
    "finishedAt" bigint,
    snapshot text,
    "storedBytes" bigint not null,
    "verifiedAt" bigint,
    "damagedParts" integer,
    "oldDeletedAt" bigint,
    "drilledAt" bigint
  )`,
  'create table "deletedAccounts" (hash text primary key, "storedAt" bigint)',
  'create table "deletedAccountsKey" (id integer primary key, key text not null)',
  'create table "backupPlace" (id integer primary key, place text not null)',
  'create table installation (id integer primary key, contents text, move text, folder text)',
  'insert into installation (id) values (1)',
  'create table releases (id text primary key, "seenAt" bigint not null)',
  `create table "releaseAssets" (
    path text not null,
    release text not null references releases (id) on delete cascade,
    content text not null,
    constraint "releaseAssets_pkey" primary key (path, release)
  )`,
  'create table "oldestPrograms" (migration text primary key, version text not null)',
];
