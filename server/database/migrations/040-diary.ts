import type { Kysely } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the patients' diaries and consents, their shares, and the notes for consultations. */
export const diary: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  up: (db: Kysely<unknown>) =>
    runStatements(db, [
      `create table "diaryMasterKey" (id integer primary key, fingerprint text not null)`,
      `create table diaries (
        uid text primary key references users (id) on delete cascade,
        revision bigint not null,
        "keyVersion" integer not null,
        "sealedKey" text,
        "pausedAt" bigint
      )`,
      `create table "diaryConsents" (
        id text primary key,
        uid text not null references users (id) on delete cascade,
        version text not null,
        text text not null,
        digest text not null,
        "givenAt" bigint not null,
        "withdrawnAt" bigint
      )`,
      'create index "diaryConsents_uid" on "diaryConsents" (uid)',
      `create table "diaryEntries" (
        uid text not null references diaries (uid) on delete cascade,
        id text not null,
        revision bigint not null,
        day text,
        zone text,
        "createdAt" bigint not null,
        "deletedAt" bigint,
        sealed text,
        primary key (uid, id)
      )`,
      'create unique index "diaryEntries_revision" on "diaryEntries" (uid, revision)',
      'create index "diaryEntries_day" on "diaryEntries" (uid, day)',
      `create table clinicians (
        uid text primary key references users (id) on delete cascade,
        name text not null,
        crm text not null unique,
        "namedAt" bigint not null
      )`,
      `create table "diaryShares" (
        uid text not null references users (id) on delete cascade,
        id text not null,
        "clinicianUid" text not null,
        "clinicianName" text not null,
        crm text not null,
        scope text not null,
        consent text not null,
        "consentVersion" text not null,
        "consentDigest" text not null,
        "grantedAt" bigint not null,
        "expiresAt" bigint not null,
        "endedAt" bigint,
        "endedBy" text,
        primary key (uid, id)
      )`,
      'create index "diaryShares_clinicianUid" on "diaryShares" ("clinicianUid")',
      `create table "diaryReads" (
        id text primary key,
        uid text not null references users (id) on delete cascade,
        "clinicianUid" text not null,
        "clinicianName" text not null,
        crm text not null,
        at bigint not null,
        what text not null,
        "shareId" text,
        "fromDay" text not null,
        "toDay" text not null
      )`,
      'create index "diaryReads_uid" on "diaryReads" (uid, at)',
      `create table "consultationNotes" (
        uid text not null references users (id) on delete cascade,
        id text not null,
        "clinicianUid" text not null,
        day text not null,
        revision bigint not null,
        "shownAt" bigint,
        "createdAt" bigint not null,
        sealed text not null,
        primary key (uid, id)
      )`,
      'create index "consultationNotes_clinicianUid" on "consultationNotes" ("clinicianUid", day)',
    ]),
};
