import type { Kysely } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the reminders by e-mail. */
export const reminders: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  up: (db: Kysely<unknown>) =>
    runStatements(db, [
      `create table reminders (
        uid text primary key references users (id) on delete cascade,
        weekdays text not null,
        hour integer not null,
        zone text not null,
        "nextAt" bigint,
        "notBefore" bigint not null,
        "claimedAt" bigint not null,
        "sentAt" bigint,
        "stoppedBy" text
      )`,
      'create index "reminders_nextAt" on reminders ("nextAt")',
    ]),
};
