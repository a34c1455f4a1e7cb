import type { Database, DatabaseKind } from './database/connect.ts';
import type { Environment } from './environment.ts';
import type { UsageRecords } from './http/usage-records.ts';
import type { Mailer } from './mail/mailer.ts';
import type { FileStore } from './storage/store/file-store.ts';

/** What every service works with; made once in start.ts, and by the tests. */
export type AppContext = {
  environment: Environment;
  database: Database;
  databaseKind: DatabaseKind;
  mailer: Mailer;
  /** The contents of files; what is known about them is in the database. */
  fileStore: FileStore;
  /** Date, time and address of every use. */
  usageRecords: UsageRecords;
  /** Signs the session cookies. */
  authSecret: string;
  /** As authenticator apps show it beside an account. */
  clinicName: string;
  /** @throws DataReplaced when the data folder, or SQLite's file in it, is not the one that was opened any more */
  requireSameData(): void;
};
