import { sql } from 'kysely';
import { lazily } from '#server/concurrency.ts';
import type { Database } from '#server/database/connect.ts';
import { type FirebaseCost, readFirebaseHash } from './firebase-hash.ts';

/** The password hashes in the database that came from Firebase. */
export type ImportedHashes = {
  /**
   * Returns the cost of the imported hashes, which all come from one Firebase project; undefined if there are
   * none. The cost is read from the database only once, because an import runs only while no server runs.
   */
  findCost(): Promise<FirebaseCost | undefined>;
  /**
   * Replaces an imported hash with this server's own. Does nothing if the stored hash has changed meanwhile.
   */
  replace(imported: string, own: string): Promise<void>;
};

export const noImportedHashes: ImportedHashes = { findCost: async () => undefined, replace: async () => {} };

/** The condition of the index `accountsImported`, so that both queries read only that index. */
const isImported = sql<boolean>`substr(password, 1, 9) = 'firebase:'`;

export function createImportedHashes(database: Database): ImportedHashes {
  return {
    findCost: lazily(async () => {
      const found = await database
        .selectFrom('accounts')
        .select('password')
        .where(isImported)
        .limit(1)
        .executeTakeFirst();
      const hash = readFirebaseHash(found?.password ?? '');
      return hash && { costLog2: hash.costLog2, rounds: hash.rounds };
    }),

    async replace(imported, own) {
      await database
        .updateTable('accounts')
        .set({ password: own })
        .where('password', '=', imported)
        .where(isImported)
        .execute();
    },
  };
}
