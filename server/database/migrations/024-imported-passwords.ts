import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds the passwords that came from Firebase without reading all accounts. It is empty on other sites. */
export const importedPasswords: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index "accountsImported" on accounts (password)
      where substr(password, 1, 9) = 'firebase:'`.execute(db);
  },
};
