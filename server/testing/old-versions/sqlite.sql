-- 001-initial
create table "users" ("id" text primary key, "displayName" text not null, "email" text not null unique, "emailVerified" integer not null, "profilePic" text, "createdAt" text not null, "updatedAt" text not null, "member" text not null, "staff" integer not null, "research" integer not null, "category" text, "searchKey" text not null);
create index "usersBySearchKey" on "users" ("searchKey", "id");
create index "usersByMember" on "users" ("member");
create table "sessions" ("id" text primary key, "token" text not null unique, "userId" text not null references "users" ("id") on delete cascade, "expiresAt" text not null, "ipAddress" text, "userAgent" text, "createdAt" text not null, "updatedAt" text not null);
create index "sessionsByUser" on "sessions" ("userId");
create table "accounts" ("id" text primary key, "accountId" text not null, "providerId" text not null, "userId" text not null references "users" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" text, "refreshTokenExpiresAt" text, "scope" text, "password" text, "createdAt" text not null, "updatedAt" text not null, constraint "accountsOncePerProvider" unique ("providerId", "accountId"));
create index "accountsByUser" on "accounts" ("userId");
create table "verifications" ("id" text primary key, "identifier" text not null, "value" text not null, "expiresAt" text not null, "createdAt" text not null, "updatedAt" text not null);
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
alter table "users" add column "twoFactorEnabled" integer default false not null;
create table "twoFactors" ("id" text primary key, "userId" text not null unique references "users" ("id") on delete cascade, "secret" text not null, "backupCodes" text not null, "verified" integer not null, "failedVerificationCount" integer, "lockedUntil" text);

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
create index "usersByEmail" on users (email, id, "searchKey");
create table "userEntries" (number integer primary key, id text not null unique,
    "searchKey" text not null, email text not null, "createdAt" text not null);
create virtual table "usersSearch" using fts5(
    key, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
insert into "userEntries" (id, "searchKey", email, "createdAt")
    select id, "searchKey", email, "createdAt" from users;
insert into "usersSearch" (rowid, key)
    select number, '  ' || replace("searchKey", ' ', '  ') from "userEntries";
create trigger "userAdded" after insert on users begin
    update "userTally" set change = change + 1;
    insert into "userEntries" (id, "searchKey", email, "createdAt")
      values (new.id, new."searchKey", new.email, new."createdAt");
    insert into "usersSearch" (rowid, key)
      select number, '  ' || replace(new."searchKey", ' ', '  ') from "userEntries" where id = new.id;
  end;
create trigger "userChanged" after update of "searchKey", email, "createdAt" on users begin
    update "userEntries" set "searchKey" = new."searchKey", email = new.email, "createdAt" = new."createdAt"
      where id = new.id;
    update "usersSearch" set key = '  ' || replace(new."searchKey", ' ', '  ')
      where rowid = (select number from "userEntries" where id = new.id);
  end;
create trigger "userRemoved" after delete on users begin
    update "userTally" set change = change - 1;
    delete from "usersSearch" where rowid = (select number from "userEntries" where id = old.id);
    delete from "userEntries" where id = old.id;
  end;

-- 009-deleted-activities
create table "deletedActivities" ("id" text primary key, "list" text not null references "activityLists" ("name"), "position" bigint not null, "previousId" text, "deletedAt" bigint not null, "axis" text not null, "title" text not null, "url" text not null, "image" text not null, "audio" text not null, "content" text not null, "createdAt" bigint not null, "updatedAt" bigint not null);
create index "deletedActivitiesByTime" on "deletedActivities" ("deletedAt");

-- 010-search-on-postgres

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
alter table "users" add column "ownName" integer default false not null;
alter table "users" add column "ownPicture" integer default false not null;
update "users" set "ownName" = true where not exists
      (select 1 from "accounts" where "userId" = users.id and "providerId" = 'google');
update "users" set "ownPicture" = true where "profilePic" like '/%';

-- 017-storage-tally
create table "storageTally" (change bigint not null);
insert into "storageTally" (change) select
        coalesce((select sum("storedBytes") from files), 0) +
        coalesce((select sum("sizeBytes") from uploads where "finishedAt" is null), 0);
create trigger "fileAdded" after insert on files begin
    update "storageTally" set change = change + new."storedBytes";
  end;
create trigger "fileRemoved" after delete on files begin
    update "storageTally" set change = change - old."storedBytes";
  end;
create trigger "uploadBegun" after insert on uploads when new."finishedAt" is null begin
    update "storageTally" set change = change + new."sizeBytes";
  end;
create trigger "uploadFinished" after update of "finishedAt" on uploads
    when old."finishedAt" is null and new."finishedAt" is not null begin
    update "storageTally" set change = change - old."sizeBytes";
  end;
create trigger "uploadRemoved" after delete on uploads when old."finishedAt" is null begin
    update "storageTally" set change = change - old."sizeBytes";
  end;

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
