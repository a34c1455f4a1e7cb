import { type ReleasedMigration, runStatements } from './released-migration.ts';

/** Adds the needs of activities: ids of the site content, with a space between them. */
export const needs: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db) {
    await runStatements(db, [
      ...['activities', 'deletedActivities'].map(
        (table) => `alter table "${table}" add column needs text default '' not null`,
      ),
      // The index has everything that visitors' lists need to choose practices.
      'drop index "activitiesForVisitors"',
      `create index "activitiesForVisitors" on activities (list, visibility, position, id, "createdAt",
        "updatedAt", minutes, "audioSeconds", night, needs, title)`,
    ]);
  },
};
