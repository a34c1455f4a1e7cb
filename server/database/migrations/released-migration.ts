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

/**
 * The first version of the program that checks whether it can run on a database that a newer version has
 * migrated.
 */
const firstVersion = '0.2.0';

/** Adds `since` and `oldestProgram` to the migrations of `firstVersion`. */
export function ofFirstVersion(migrations: Record<string, Migration>): Record<string, ReleasedMigration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [
      name,
      { ...migration, since: firstVersion, oldestProgram: firstVersion },
    ]),
  );
}
