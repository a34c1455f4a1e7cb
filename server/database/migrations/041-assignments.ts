import type { Kysely } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the practices that clinicians propose to patients, and the patients' answers. */
export const assignments: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  up: (db: Kysely<unknown>) =>
    runStatements(db, [
      `create table assignments (
        id text primary key,
        uid text not null references users (id) on delete cascade,
        "clinicianUid" text not null,
        "clinicianName" text not null,
        "activityId" text not null,
        title text not null,
        "fromDay" text not null,
        "toDay" text not null,
        "timesPerWeek" integer not null,
        "skippedWeeks" text not null,
        "createdAt" bigint not null,
        "withdrawnAt" bigint,
        sealed text
      )`,
      'create index assignments_uid on assignments (uid, "toDay")',
      'create index "assignments_clinicianUid" on assignments ("clinicianUid", "toDay")',
      `create table "assignmentDays" (
        "assignmentId" text not null references assignments (id) on delete cascade,
        day text not null,
        state text not null,
        primary key ("assignmentId", day)
      )`,
    ]),
};
