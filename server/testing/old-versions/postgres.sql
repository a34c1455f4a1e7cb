-- 001-initial
create table "users" ("id" text primary key, "displayName" text not null, "email" text not null unique, "emailVerified" boolean not null, "profilePic" text, "createdAt" timestamptz not null, "updatedAt" timestamptz not null, "member" text not null, "staff" boolean not null, "research" boolean not null, "category" text, "searchKey" text collate "C" not null);
create index "usersBySearchKey" on "users" ("searchKey", "id");
create index "usersByMember" on "users" ("member");
create table "sessions" ("id" text primary key, "token" text not null unique, "userId" text not null references "users" ("id") on delete cascade, "expiresAt" timestamptz not null, "ipAddress" text, "userAgent" text, "createdAt" timestamptz not null, "updatedAt" timestamptz not null);
create index "sessionsByUser" on "sessions" ("userId");
create table "accounts" ("id" text primary key, "accountId" text not null, "providerId" text not null, "userId" text not null references "users" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" timestamptz, "refreshTokenExpiresAt" timestamptz, "scope" text, "password" text, "createdAt" timestamptz not null, "updatedAt" timestamptz not null, constraint "accountsOncePerProvider" unique ("providerId", "accountId"));
create index "accountsByUser" on "accounts" ("userId");
create table "verifications" ("id" text primary key, "identifier" text not null, "value" text not null, "expiresAt" timestamptz not null, "createdAt" timestamptz not null, "updatedAt" timestamptz not null);
create index "verificationsByIdentifier" on "verifications" ("identifier");
create table "firstAdminLinks" ("tokenHash" text primary key, "createdAt" bigint not null);
create table "wordMood" ("uid" text primary key references "users" ("id") on delete cascade, "record" text not null);
create table "activityLists" ("name" text primary key, "version" bigint default 0 not null, "lastPosition" bigint default 0 not null);
insert into "activityLists" (name) values ('mindActsList');
insert into "activityLists" (name) values ('moveActsList');
insert into "activityLists" (name) values ('nutriActsList');
insert into "activityLists" (name) values ('valuesActsList');
create table "activities" ("id" text primary key, "list" text not null references "activityLists" ("name"), "position" bigint not null, "axis" text not null, "title" text not null, "url" text not null, "image" text not null, "audio" text not null, "content" text not null, "createdAt" bigint not null, "updatedAt" bigint not null);
create unique index "activitiesInOrder" on "activities" ("list", "position");

-- 002-newsletter
create table "spentProofs" ("id" text primary key, "expiresAt" bigint not null);
create index "spentProofsByExpiry" on "spentProofs" ("expiresAt");
create table "newsletterSubscribers" ("id" text primary key, "email" text not null unique, "consentedAt" bigint not null, "confirmedAt" bigint, "mailedAt" bigint not null);

-- 003-attempts
create table "attempts" ("key" text primary key, "count" integer not null, "endsAt" bigint not null);
create index "attemptsByEnd" on "attempts" ("endsAt");

-- 004-access-log
create table "accessLog" ("id" text primary key, "at" bigint not null, "subjectId" text not null references "users" ("id") on delete cascade, "actorName" text not null, "action" text not null, "what" text not null);
create index "accessLogBySubject" on "accessLog" ("subjectId", "at");

-- 005-second-factor
alter table "users" add column "twoFactorEnabled" boolean default false not null;
create table "twoFactors" ("id" text primary key, "userId" text not null unique references "users" ("id") on delete cascade, "secret" text not null, "backupCodes" text not null, "verified" boolean not null, "failedVerificationCount" integer, "lockedUntil" timestamptz);

-- 006-latest-activities
create index "activitiesByUpdate" on "activities" ("updatedAt" desc, "id");

-- 007-files
create table "files" ("path" text primary key, "key" text not null unique, "ownerId" text references "users" ("id") on delete set null, "contentType" text not null, "sizeBytes" bigint not null, "storedBytes" bigint not null, "sha256" text not null, "versions" text not null, "token" text not null, "width" integer, "height" integer, "createdAt" bigint not null);
create index "filesByOwner" on "files" ("ownerId");
create table "uploads" ("id" text primary key, "ownerId" text not null references "users" ("id") on delete cascade, "path" text not null, "key" text not null unique, "storeState" text not null, "declaredType" text not null, "sizeBytes" bigint not null, "offsetBytes" bigint not null, "sha256" text, "createdAt" bigint not null, "expiresAt" bigint not null, "finishedAt" bigint, "holder" text, "heldUntil" bigint default 0 not null, "wantedAt" bigint default 0 not null);
create index "uploadsByOwner" on "uploads" ("ownerId");
create index "uploadsByExpiry" on "uploads" ("expiresAt");
create table "uploadProofs" ("uploadId" text references "uploads" ("id") on delete cascade, "proofId" text, constraint "uploadProofsKey" primary key ("uploadId", "proofId"));
create table "discardedContents" ("key" text primary key, "storeState" text not null);

-- 008-people-search
create index "usersByCreation" on users ("createdAt", id, "searchKey");
create table "userTally" (change bigint not null);
insert into "userTally" (change) select count(*) from users;
create index "usersByEmail" on users (email collate "C", id, "searchKey");
create function "tallyUsers"() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then insert into "userTally" (change) select count(*) from touched having count(*) > 0;
    else insert into "userTally" (change) select -count(*) from touched having count(*) > 0; end if;
    return null;
  end $$;
create trigger "usersAdded" after insert on users referencing new table as touched
    for each statement execute function "tallyUsers"();
create trigger "usersRemoved" after delete on users referencing old table as touched
    for each statement execute function "tallyUsers"();
do $$
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
  $$;

-- 009-deleted-activities
create table "deletedActivities" ("id" text primary key, "list" text not null references "activityLists" ("name"), "position" bigint not null, "previousId" text, "deletedAt" bigint not null, "axis" text not null, "title" text not null, "url" text not null, "image" text not null, "audio" text not null, "content" text not null, "createdAt" bigint not null, "updatedAt" bigint not null);
create index "deletedActivitiesByTime" on "deletedActivities" ("deletedAt");

-- 010-search-on-postgres
alter table users alter column "searchKey" set statistics 1000;
create index "usersBySigns" on users ("searchKey", id)
      where "searchKey" ~ '(^| )[^a-z0-9 ]|[^a-z0-9 ]{3}';
analyze users;

-- 011-latest-at-the-end
drop index "activitiesByUpdate";
create index "activitiesByUpdate" on "activities" ("updatedAt", "id" desc);

-- 012-activity-editor
alter table "activities" add column "updatedBy" text references "users" ("id") on delete set null;
alter table "deletedActivities" add column "updatedBy" text references "users" ("id") on delete set null;

-- 013-access-log-actor
alter table "accessLog" add column "actorId" text;

-- 014-hashed-tokens
update "accounts" set "accessToken" = null, "refreshToken" = null, "idToken" = null, "accessTokenExpiresAt" = null, "refreshTokenExpiresAt" = null;

-- 015-first-admin-seed
drop table if exists "firstAdminLinks";
create table "firstAdminLinks" ("id" text primary key, "seed" text not null, "createdAt" bigint not null);

-- 016-own-profile
alter table "users" add column "ownName" boolean default false not null;
alter table "users" add column "ownPicture" boolean default false not null;
update "users" set "ownName" = true where not exists
      (select 1 from "accounts" where "userId" = users.id and "providerId" = 'google');
update "users" set "ownPicture" = true where "profilePic" like '/%';

-- 017-storage-tally
create table "storageTally" (change bigint not null);
insert into "storageTally" (change) select
        coalesce((select sum("storedBytes") from files), 0) +
        coalesce((select sum("sizeBytes") from uploads where "finishedAt" is null), 0);
create function "tallyFiles"() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then insert into "storageTally" (change) values (new."storedBytes");
    else insert into "storageTally" (change) values (-old."storedBytes"); end if;
    return null;
  end $$;
create function "tallyUploads"() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then insert into "storageTally" (change) values (new."sizeBytes");
    else insert into "storageTally" (change) values (-old."sizeBytes"); end if;
    return null;
  end $$;
create trigger "filesTallied" after insert or delete on files
    for each row execute function "tallyFiles"();
create trigger "uploadBegun" after insert on uploads
    for each row when (new."finishedAt" is null) execute function "tallyUploads"();
create trigger "uploadFinished" after update of "finishedAt" on uploads
    for each row when (old."finishedAt" is null and new."finishedAt" is not null)
    execute function "tallyUploads"();
create trigger "uploadRemoved" after delete on uploads
    for each row when (old."finishedAt" is null) execute function "tallyUploads"();

-- 018-site-content
create table "siteState" ("id" integer primary key, "version" integer not null, "revision" integer not null);
insert into "siteState" ("id", "version", "revision") values (1, 0, 0);
create table "siteVersions" ("version" integer primary key, "content" text not null, "note" text not null, "publishedAt" bigint not null, "publishedBy" text references "users" ("id") on delete set null);
create table "siteDrafts" ("section" text primary key, "content" text not null, "updatedAt" bigint not null, "updatedBy" text references "users" ("id") on delete set null);

-- 019-practice-pages
alter table "activities" add column "minutes" integer;
alter table "activities" add column "audioSeconds" integer;
alter table "activities" add column "night" text default '' not null;
alter table "activities" add column "visibility" text default 'public' not null;
alter table "deletedActivities" add column "minutes" integer;
alter table "deletedActivities" add column "audioSeconds" integer;
alter table "deletedActivities" add column "night" text default '' not null;
alter table "deletedActivities" add column "visibility" text default 'public' not null;
create index "activitiesForTheNight" on "activities" ("list", "position") where "night" <> '';
create table "goneActivities" ("id" text primary key, "list" text not null references "activityLists" ("name"));

-- 020-practice-totals
create table "practiceTotals" ("activityId" text not null, "month" text not null, "opened" integer not null, "played" integer not null, "finished" integer not null, constraint "practiceTotals_pkey" primary key ("month", "activityId"));

-- 021-activity-deleter
alter table "deletedActivities" add column "deletedBy" text references "users" ("id") on delete set null;

-- 022-favourites
create table "favourites" ("uid" text not null references "users" ("id") on delete cascade, "activityId" text not null, "createdAt" bigint not null, constraint "favourites_pkey" primary key ("uid", "activityId"));

-- 023-backups
create table "instances" ("id" text primary key, "seenAt" bigint not null);
create table "leases" ("name" text primary key, "holder" text not null, "heldUntil" bigint not null);
create table "backupRuns" ("startedAt" bigint primary key, "finishedAt" bigint, "snapshot" text, "storedBytes" bigint not null, "verifiedAt" bigint);
create table "deletedAccounts" ("hash" text primary key);
create table "deletedAccountsKey" ("id" integer primary key, "key" text not null);

-- 024-imported-passwords
create index "accountsImported" on accounts (password)
      where substr(password, 1, 9) = 'firebase:';

-- 025-installation
create table "installation" ("id" integer primary key, "contents" text, "move" text);
insert into "installation" (id) values (1);

-- 026-release-assets
create table "releases" ("id" text primary key, "seenAt" bigint not null);
create table "releaseAssets" ("path" text not null, "release" text not null references "releases" ("id") on delete cascade, "content" text not null, constraint "releaseAssets_pkey" primary key ("path", "release"));

-- 027-oldest-programs
create table "oldestPrograms" ("migration" text primary key, "version" text not null);

-- 028-contents-folder
alter table "installation" add column "folder" text;

-- 029-backup-place
create table "backupPlace" ("id" integer primary key, "place" text not null);
alter table "deletedAccounts" add column "storedAt" bigint;
alter table "backupRuns" add column "damagedParts" integer;

-- 030-old-backups
alter table "backupRuns" add column "oldDeletedAt" bigint;

-- 031-address-proofs
create table "verificationLinks" ("token" text primary key, "email" text not null, "browser" text not null, "displayName" text, "password" text, "expiresAt" bigint not null);
create index "verificationLinks_email" on "verificationLinks" ("email");
create table "knownBrowsers" ("mark" text primary key, "uid" text not null references "users" ("id") on delete cascade, "signedInAt" bigint not null);
create index "knownBrowsers_uid" on "knownBrowsers" ("uid");

-- 032-backup-drills
alter table "backupRuns" add column "drilledAt" bigint;

-- 033-public-practices
create index "activitiesForVisitors" on "activities" ("list", "visibility", "position", "id", "createdAt", "updatedAt", "minutes", "audioSeconds", "night", "title");
