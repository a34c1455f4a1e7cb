import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the last day on which each user was signed in, and an index of unverified email addresses. */
export const lastSeen: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db) {
    await runStatements(db, [
      'alter table users add column "lastSeenOn" text',
      'create index "usersByVerification" on users ("emailVerified", id)',
    ]);
  },
};
