import type { Scrypt } from './auth/passwords/scrypt.ts';
import type { Database, DatabaseKind } from './database/connect.ts';
import type { ReadVersions } from './database/versions.ts';
import type { Environment } from './environment.ts';
import type { DailyFile } from './http/daily-file.ts';
import type { UsageRecords } from './http/usage-records.ts';
import type { Mailer } from './mail/mailer.ts';
import type { ContentSource } from './site/content.ts';
import type { FileStore } from './storage/store/file-store.ts';

/** The dependencies that all services share. start.ts creates them once; tests create their own. */
export type AppContext = {
  environment: Environment;
  database: Database;
  databaseKind: DatabaseKind;
  mailer: Mailer;
  /** The contents of files; their metadata is in the database. */
  fileStore: FileStore;
  /** Records the date, time, IP address and route of each request for a page or the API. */
  usageRecords: UsageRecords;
  /** Events that matter for security, such as refusals and changes by admins. */
  securityEvents: DailyFile;
  authSecret: string;
  /** Seals the keys of the diaries. */
  diaryMasterKey: Buffer;
  /**
   * Hashes passwords. If absent, each app starts a thread of its own. Tests share one thread, with a low
   * cost.
   */
  scrypt?: Scrypt;
  /** Returns the clinic's short name, which mails and authenticator apps show. */
  clinicName: () => Promise<string>;
  /** Reads the version numbers of the data that the server keeps in memory. */
  readVersions: ReadVersions;
  siteContent: ContentSource;
  /** @throws DataReplaced when the data folder, or SQLite's file in it, was replaced or removed */
  requireSameData(): void;
};
