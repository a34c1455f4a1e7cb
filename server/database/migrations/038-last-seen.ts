import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Stores each user's last day, and finds the users with an unverified email address. */
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
