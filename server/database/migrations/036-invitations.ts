import type { Kysely } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the open invitations. */
export const invitations: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  up: (db: Kysely<unknown>) =>
    runStatements(db, [
      `create table invitations (
        id text primary key,
        token text not null unique,
        email text not null,
        member text not null,
        note text not null,
        "invitedBy" text not null references users (id) on delete cascade,
        "createdAt" bigint not null,
        "expiresAt" bigint not null
      )`,
      'create index "invitations_email" on invitations (email)',
      'create index "invitations_invitedBy" on invitations ("invitedBy")',
    ]),
};
