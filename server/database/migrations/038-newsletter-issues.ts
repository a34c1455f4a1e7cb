import type { Kysely } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the issues of the newsletter, and the queue of their mails. */
export const newsletterIssues: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  up: (db: Kysely<unknown>) =>
    runStatements(db, [
      `create table "newsletterIssues" (
        id text primary key,
        subject text not null,
        text text not null,
        indexed integer not null,
        state text not null,
        problem text,
        revision integer not null,
        recipients integer not null,
        sent integer not null,
        "updatedAt" bigint not null,
        "startedAt" bigint,
        "finishedAt" bigint,
        "notBefore" bigint not null
      )`,
      `create table "newsletterDeliveries" (
        "issueId" text not null references "newsletterIssues" (id) on delete cascade,
        "subscriberId" text not null references "newsletterSubscribers" (id) on delete cascade,
        state text not null,
        attempts integer not null,
        "notBefore" bigint not null,
        "heldUntil" bigint not null,
        primary key ("issueId", "subscriberId")
      )`,
      'create index "newsletterDeliveries_next" on "newsletterDeliveries" ("issueId", state, "notBefore")',
      'create index "newsletterDeliveries_subscriber" on "newsletterDeliveries" ("subscriberId")',
    ]),
};
