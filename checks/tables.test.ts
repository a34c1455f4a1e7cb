import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tableRows } from '#server/database/rows/columns.ts';
import { expectNone } from './expect-none.ts';

const root = join(import.meta.dirname, '..');
const features: Record<string, { feature: string } | undefined> = tableRows;

/** The tables of other features that a feature may also query. */
const guests: Record<string, string[]> = {
  // The clean-up removes expired rows. One query reads the versions of all lists and of the site content.
  database: [
    ...['attempts', 'spentProofs', 'deletedActivities', 'newsletterSubscribers', 'userTally'],
    ...['activityLists', 'siteState', 'verificationLinks', 'invitations', 'knownBrowsers'],
    ...['newsletterDeliveries', 'newsletterIssues'],
  ],
  // Sign-in reads the user of an account. The check of an upload token reads whether the upload exists.
  auth: ['users', 'uploads'],
  // The proof of a resumable upload is stored with the upload. The other two tables show running backups and
  // past moves: content must not be removed during a backup, nor from the old place after a move.
  storage: ['uploadProofs', 'leases', 'installation'],
  // A user who loses the admin role loses the invitations that the user sent.
  users: ['invitations'],
  // When an admin exports the subscriptions, the access log names the users to whom they belong.
  newsletter: ['users'],
  // An activity names the user who saved it last.
  library: ['users'],
  // Only uses of existing activities are counted, and the totals show their titles.
  'practice-totals': ['activities'],
  // Only public activities can become favourites, and only public favourites are shown.
  favourites: ['activities'],
  // The diary as a table names the practices. Clinicians are admins with a second factor or a passkey, and
  // they see the names of patients. Receipts go to the patient's email address.
  diary: ['activities', 'users', 'passkeys'],
  // A reminder goes to the user's email address, while the user visits the site.
  reminders: ['users'],
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
      if (features[table]?.feature !== feature && !guests[feature]?.includes(table))
        strange.push(`${file}: ${table}`);
  }
  expectNone(
    strange,
    'Move the query into the feature that owns the table, or name it in `guests` of this file:',
  );
});
