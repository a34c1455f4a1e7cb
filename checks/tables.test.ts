import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectNone } from './expect-none.ts';

const root = join(import.meta.dirname, '..');

/** The feature of the server that owns each table. */
const owners: Record<string, string> = {
  users: 'users',
  wordMood: 'users',
  accessLog: 'users',
  userTally: 'users',
  sessions: 'auth',
  accounts: 'auth',
  verifications: 'auth',
  verificationLinks: 'auth',
  knownBrowsers: 'auth',
  twoFactors: 'auth',
  attempts: 'auth',
  firstAdminLinks: 'auth',
  spentProofs: 'auth',
  uploadProofs: 'auth',
  activities: 'library',
  activityLists: 'library',
  deletedActivities: 'library',
  goneActivities: 'library',
  newsletterSubscribers: 'newsletter',
  practiceTotals: 'practice-totals',
  favourites: 'favourites',
  files: 'storage',
  uploads: 'storage',
  discardedContents: 'storage',
  storageTally: 'storage',
  siteState: 'site',
  siteVersions: 'site',
  siteDrafts: 'site',
  releases: 'site',
  releaseAssets: 'site',
  installation: 'database',
  oldestPrograms: 'database',
  instances: 'database',
  leases: 'database',
  backupRuns: 'backup',
  backupPlace: 'backup',
  deletedAccounts: 'backup',
  deletedAccountsKey: 'backup',
};

/** The tables of other features that a feature may also query. */
const guests: Record<string, string[]> = {
  // The clean-up removes expired rows. One query reads the versions of all lists and of the site content.
  database: [
    ...['attempts', 'spentProofs', 'deletedActivities', 'newsletterSubscribers', 'userTally'],
    ...['activityLists', 'siteState', 'verificationLinks', 'knownBrowsers'],
  ],
  // Sign-in reads the user of an account. The check of an upload token reads whether the upload exists.
  auth: ['users', 'uploads'],
  // The proof of a resumable upload is stored with the upload. The other two tables show running backups and
  // past moves: content must not be removed during a backup, nor from the old place after a move.
  storage: ['uploadProofs', 'leases', 'installation'],
  // When an admin exports the subscriptions, the access log names the users to whom they belong.
  newsletter: ['users'],
  // An activity names the user who saved it last.
  library: ['users'],
  // Only uses of existing activities are counted, and the totals show their titles.
  'practice-totals': ['activities'],
  // Only public activities can become favourites, and only public favourites are shown.
  favourites: ['activities'],
  // The draft and the versions of the site refer to files, and to the admins who saved or published them.
  site: ['users', 'files'],
  // A restore repeats deletions of accounts, and looks for the files that rows name.
  backup: [
    'users',
    'twoFactors',
    'files',
    'activities',
    'wordMood',
    'siteDrafts',
    'siteVersions',
    'siteState',
  ],
  // The checks of an installation look for its files and its users, and whether its site is published.
  check: ['files', 'siteState'],
  // A move counts and copies files, and ends unfinished uploads. It does not begin during a backup.
  move: ['files', 'uploads', 'discardedContents', 'leases'],
  // The readiness check runs a locking query that finds no rows. Only a writable database server allows it.
  http: ['activityLists'],
};

const query =
  /(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|sql\.table)\('([A-Za-z]+)(?: as \w+)?'/g;

test('only the feature that owns a table queries it', () => {
  const strange: string[] = [];
  for (const file of globSync('server/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|server\/testing\/|\/migrations\//.test(file)) continue;
    const feature = file.split('/')[1] ?? '';
    for (const [, table = ''] of readFileSync(join(root, file), 'utf8').matchAll(query))
      if (owners[table] !== feature && !guests[feature]?.includes(table)) strange.push(`${file}: ${table}`);
  }
  expectNone(
    strange,
    'Move the query into the feature that owns the table, or change the owner in this file:',
  );
});

test('every table has an owner', () => {
  const types = readFileSync(join(root, 'server/database/tables.ts'), 'utf8');
  const [, body = ''] = /export type Tables = \{(.*?)\n\};/s.exec(types) ?? [];
  const tables = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  assert.ok(tables.length > 10);
  assert.deepEqual(
    tables.toSorted(),
    Object.keys(owners).toSorted(),
    'Mend the list of owners in this file.',
  );
});
