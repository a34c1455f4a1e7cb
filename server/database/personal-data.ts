import type { AccountExport } from '#contract/account.ts';
import type { AppContext } from '../context.ts';
import type { Database, Tables } from './tables.ts';

export type DataSubject = { uid: string; email: string };

/**
 * The data that one feature (a folder of `server/`) stores about users, and how a user exports and deletes it
 * (LGPD art. 18).
 */
export type PersonalData = {
  /** The tables of the feature that refer to users. */
  tables: readonly (keyof Tables)[];
  /** Returns the fields of the account export that come from this feature. */
  exportFor(
    database: Database,
    subject: DataSubject,
    keys: Pick<AppContext, 'diaryMasterKey'>,
  ): Promise<Partial<AccountExport>>;
  /**
   * Runs in the transaction that deletes the account, while the user's row is locked. Absent when foreign
   * keys do all that is needed.
   */
  deleteFor?(transaction: Database, subject: DataSubject): Promise<void>;
};
