import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A migration, with two version numbers of the program, such as `1.2.0`. */
export type ReleasedMigration = Migration & {
  /** The first version of the program that contains the migration. */
  since: string;
  /**
   * The oldest version of the program that can run on the tables after this migration. If it is older than
   * `since`, the migration may only add tables, and columns that older programs need not fill;
   * newer-database.test.ts checks this.
   */
  oldestProgram: string;
};

export async function runStatements<Tables>(db: Kysely<Tables>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
