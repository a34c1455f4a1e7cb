import { SqliteAdapter } from 'kysely';
import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds passkeys, changes of an account's email address, and the mark of strong sessions. */
export const passkeys: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db) {
    const onSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    await runStatements(db, [
      `create table passkeys (
        id text primary key,
        uid text not null references users (id) on delete cascade,
        "credentialId" text not null unique,
        "publicKey" text not null,
        counter bigint not null,
        transports text not null,
        name text not null,
        "createdAt" bigint not null,
        "lastUsedAt" bigint
      )`,
      'create index "passkeys_uid" on passkeys (uid)',
      `create table "emailChanges" (
        id text primary key,
        uid text not null references users (id) on delete cascade,
        "oldEmail" text not null,
        "newEmail" text not null,
        token text not null unique,
        "requestedAt" bigint not null,
        "changedAt" bigint,
        "expiresAt" bigint not null
      )`,
      'create index "emailChanges_uid" on "emailChanges" (uid)',
      'create index "emailChanges_oldEmail" on "emailChanges" ("oldEmail")',
      `alter table sessions add column strong ${onSqlite ? 'integer not null default 0' : 'boolean not null default false'}`,
    ]);
  },
};
