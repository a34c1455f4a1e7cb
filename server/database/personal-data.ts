import type { AccountExport } from '#contract/account.ts';
import type { Database, Tables } from './tables.ts';

export type DataSubject = { uid: string; email: string };

/**
 * The data that one feature (a folder of `server/`) stores about users, and how a user exports and deletes it
 * (LGPD art. 18). `Field` names the fields of the account export that come from this feature.
 */
export type PersonalData<Field extends keyof AccountExport> = {
  /** The tables of the feature that refer to users. */
  tables: readonly (keyof Tables)[];
  exportFor(database: Database, subject: DataSubject): Promise<Pick<AccountExport, Field>>;
  /** Runs in the transaction that deletes the account, while the user's row is locked. */
  deleteFor(transaction: Database, subject: DataSubject): Promise<void>;
};
