import { type ReleasedMigration, runStatements } from './released-migration.ts';

/**
 * Lets two activities of a list have one position while a transaction writes a new order. Each moved activity
 * then needs one write, and the others need none. Writers of a list run one after another, so all positions
 * differ when the transaction ends.
 */
export const order: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  up: (db) =>
    runStatements(db, [
      'drop index "activitiesInOrder"',
      'create index "activitiesInOrder" on activities (list, position)',
    ]),
};
