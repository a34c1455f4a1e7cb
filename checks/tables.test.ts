import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The room of the server whose queries stand on a table. */
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
 * Rooms that also read or write a table of another room, and why. `account` exports and deletes what every room keeps of a
 * user; `database` removes what has expired.
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
  // Sign-in reads who the account belongs to; a token that serves for an upload asks whether it is there.
  auth: ['users', 'uploads'],
  // The proof of a resumable upload is noted with it.
  storage: ['uploadProofs'],
  // Whose subscriptions an admin has read is in the access log of users.
  newsletter: ['users'],
  // Who saved an activity last.
  library: ['users'],
  // Readiness locks no row of it.
  http: ['activityLists'],
};

const query =
  /(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|sql\.table)\('([A-Za-z]+)(?: as \w+)?'/g;

test('queries on a table stand in the room that owns it', () => {
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
