import type { Migration } from 'kysely/migration';

/** A migration, and the versions of the program that it concerns, such as `1.2.0`. */
export type ReleasedMigration = Migration & {
  /** The first version that contains it. */
  since: string;
  /**
   * The oldest version that can run on the tables that the migration leaves. If it is older than `since`, the
   * migration only adds tables and columns that older programs need not fill, which newer-database.test.ts checks.
   */
  oldestProgram: string;
};

/** The first version that asks which programs can run on a database. */
const firstVersion = '0.2.0';

/** Adds the versions to the migrations of the first version that asks for them. */
export function ofFirstVersion(migrations: Record<string, Migration>): Record<string, ReleasedMigration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [
      name,
      { ...migration, since: firstVersion, oldestProgram: firstVersion },
    ]),
  );
}
