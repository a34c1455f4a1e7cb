import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activity } from '#contract/activity.ts';
import { connect } from '../database/connect.ts';
import { createTestDatabase, databaseKinds } from '../testing/databases.ts';

for (const kind of databaseKinds)
  test(`every field of an activity is stored, also while it is soft-deleted, on ${kind}`, async () => {
    const place = await createTestDatabase(kind);
    const database = connect(place);
    const tables = await database.introspection.getTables();
    await database.destroy();
    await place.remove();
    const columnsOf = (table: string) =>
      tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];

    const live = columnsOf('activities');
    const missing = Object.keys(activity.shape).filter((field) => !live.includes(field));
    assert.deepEqual(missing, [], 'fields without a column');
    const deleted = new Set(columnsOf('deletedActivities'));
    assert.deepEqual(
      live.filter((column) => !deleted.has(column)),
      [],
      'columns that a soft-deleted activity would lose',
    );
  });
