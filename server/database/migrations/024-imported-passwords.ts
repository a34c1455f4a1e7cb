import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds an index of the password hashes that came from Firebase, to find them without reading all accounts.
 * The index is empty on a site without imported accounts.
 */
export const importedPasswords: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index "accountsImported" on accounts (password)
      where substr(password, 1, 9) = 'firebase:'`.execute(db);
  },
};
