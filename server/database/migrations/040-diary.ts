import type { Kysely } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the patients' diaries. */
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
        "sealedKey" text
      )`,
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
    ]),
};
