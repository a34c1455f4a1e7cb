import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The room of the server that owns each table. */
const owners: Record<string, string> = {
  users: 'users',
  wordMood: 'users',
  accessLog: 'users',
  userTally: 'users',
  sessions: 'auth',
  accounts: 'auth',
  verifications: 'auth',
  twoFactors: 'auth',
  attempts: 'auth',
  firstAdminLinks: 'auth',
  spentProofs: 'auth',
  uploadProofs: 'auth',
  activities: 'library',
  activityLists: 'library',
  deletedActivities: 'library',
  newsletterSubscribers: 'newsletter',
  files: 'storage',
  uploads: 'storage',
  discardedContents: 'storage',
};

/**
 * Rooms that also use a table of another room. `account` exports and deletes a user's data in every table;
 * `database` removes expired rows.
 */
const guests: Record<string, string[]> = {
  account: ['users', 'wordMood', 'accessLog', 'accounts', 'verifications', 'newsletterSubscribers'].concat([
    'files',
    'uploads',
    'discardedContents',
    'activities',
    'deletedActivities',
    'sessions',
  ]),
  database: ['attempts', 'spentProofs', 'deletedActivities', 'userTally'],
  // Sign-in reads the user of an account. The check of an upload token reads whether the upload exists.
  auth: ['users', 'uploads'],
  // The proof of a resumable upload is stored with the upload.
  storage: ['uploadProofs'],
  // The access log of users records which subscriptions an admin has read.
  newsletter: ['users'],
  // The name of the user who saved an activity last.
  library: ['users'],
  // Readiness tests a write without locking a row.
  http: ['activityLists'],
};

const query =
  /(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|sql\.table)\('([A-Za-z]+)(?: as \w+)?'/g;

test('only the room that owns a table queries it', () => {
  const strange: string[] = [];
  for (const file of globSync('server/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|server\/testing\/|\/migrations\//.test(file)) continue;
    const room = file.split('/')[1] ?? '';
    for (const [, table = ''] of readFileSync(join(root, file), 'utf8').matchAll(query))
      if (owners[table] !== room && !guests[room]?.includes(table)) strange.push(`${file}: ${table}`);
  }
  assert.deepEqual(strange, []);
});

test('every table has an owner', () => {
  const types = readFileSync(join(root, 'server/database/tables.ts'), 'utf8');
  const [, body = ''] = /export type Tables = \{(.*?)\n\};/s.exec(types) ?? [];
  const tables = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  assert.ok(tables.length > 10);
  assert.deepEqual(tables.toSorted(), Object.keys(owners).toSorted());
});
