import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { dayInBrasilia } from '#contract/calendar.ts';
import { consentText, consentVersion, endOfDay } from '#contract/diary/share.ts';
import { databaseKinds } from '../testing/databases.ts';
import { beginDiary, joinClinician } from '../testing/diaries.ts';
import { png } from '../testing/pictures.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { publishName, withFields } from '../testing/site-content.ts';
import { storageOf } from '../testing/storage.ts';
import { personalData } from './personal-data.ts';

type JoinedUser = Awaited<ReturnType<TestServer['join']>>;

/** Tables without personal data, each with the reason. */
const otherTables: Record<string, string> = {
  activityLists: 'versions of lists',
  assignmentDays: 'answers to assignments, deleted with the assignment',
  backupPlace: 'a random id',
  backupRuns: 'times and sizes of backups',
  deletedAccounts: 'keyed hashes of random ids',
  deletedAccountsKey: 'the key of these hashes',
  diaryMasterKey: 'a fingerprint',
  installation: 'where files are',
  newsletterDeliveries: 'ids of subscriptions, deleted with the subscription',
  newsletterIssues: 'texts for all subscribers',
  instances: 'random ids of servers',
  oldestPrograms: 'versions of the program',
  releases: 'hashes of names of files',
  releaseAssets: 'the code of pages',
  leases: 'random ids of processes',
  attempts: 'keyed digests instead of IP and email addresses, until they expire',
  discardedContents: 'random names of contents',
  goneActivities: 'ids of deleted activities',
  firstAdminLinks: 'the seed of a link that belongs to no account',
  practiceTotals: 'counts per activity and month',
  spentProofs: 'random ids and keyed digests, until they expire',
  uploadProofs: 'random ids, deleted with the upload',
  siteState: 'the number of the published version',
  userTally: 'a number',
  storageTally: 'a number',
};

/** Matches the names of columns that usually hold a user's id or email address. */
const userColumn =
  /^uid$|email|(?:user|owner|actor|editor|author|creator|member|person|patient)(?:Id|Uid)?$|subjectId$|By$/i;

for (const kind of databaseKinds) {
  describe(`personal data on ${kind}`, { concurrency: true }, () => {
    it('is named by a feature for every table that refers to users', async (t) => {
      const server = await startTestServer(t, kind);
      assert.deepEqual(await findForgottenTables(server), []);
      const named = [...personalData.flatMap(({ tables }) => tables), ...Object.keys(otherTables)];
      assert.deepEqual(named.toSorted(), (await tablesOf(server)).map(({ name }) => name).toSorted());
    });

    it('is deleted with the account from every table that a feature names', async (t) => {
      const server = await startTestServer(t, kind);
      const user = await server.join('admin');
      await fillTables(server, user);
      const named = new Set<string>(personalData.flatMap(({ tables }) => tables));
      const before = await tablesAbout(server, user);
      assert.deepEqual(
        [...named].filter((table) => !before.includes(table)),
        [],
        'this test must fill them',
      );
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      await user.client.auth.deleteAccount({ password: user.password });
      assert.deepEqual(await tablesAbout(server, user), []);
      assert.equal(
        (await server.visitor.client.documents.getActivities('mindActsList')).activities.length,
        1,
      );
    });

    it('fails the check while no feature names a new table', async (t) => {
      const server = await startTestServer(t, kind);
      await sql`create table notes (id text, "writer" text references users (id))`.execute(server.database);
      await sql`create table visits (id text)`.execute(server.database);
      await sql`alter table "activityLists" add column "changedBy" text`.execute(server.database);
      assert.deepEqual(await findForgottenTables(server), ['activityLists', 'notes', 'visits']);
    });
  });
}

/** Writes at least one row about `user`, an admin, into each table with personal data. */
async function fillTables({ join, visitor, database, mails }: TestServer, user: JoinedUser): Promise<void> {
  const { uid, email, client } = user;
  const { client: otherAdmin } = await join('admin');
  await otherAdmin.documents.getUser(uid);
  await visitor.client.auth.requestPasswordReset(email);
  await client.auth.sendVerificationEmail();
  await client.auth.invite({ email: 'convidada@exemplo.com.br', member: true });
  await otherAdmin.auth.invite({ email, member: 'editor' });
  await client.documents.subscribeToNewsletter(email);
  await client.auth.requestEmailChange({ email: 'nova@exemplo.com.br', password: user.password });
  // Waits for the mails, because the reset link is stored after the response.
  await mails();
  await database.insertInto('wordMood').values({ uid, record: '{}' }).execute();
  const secondFactor = { id: uid, userId: uid, secret: '', backupCodes: '', verified: false };
  await database.insertInto('twoFactors').values(secondFactor).execute();
  await database
    .insertInto('passkeys')
    .values({
      ...{ id: 'chave', uid, credentialId: 'chave', publicKey: '', counter: 0, transports: '' },
      ...{ name: 'Celular', createdAt: 1, lastUsedAt: null },
    })
    .execute();
  const [kept, deleted] = [
    await client.documents.createActivity(sampleActivity()),
    await client.documents.createActivity(sampleActivity()),
  ];
  await client.documents.keepFavourite(kept.id);
  const diary = await beginDiary(client);
  const entry = { day: dayInBrasilia(Date.now()), zone: 'America/Sao_Paulo' };
  const words = { add: ['calma'], remove: [] };
  await diary.change(randomUUID(), { change: randomUUID(), ...entry, words });
  await fillShares({ database, join }, user);
  const reminder = { weekdays: '[1]', hour: 8, zone: 'UTC', nextAt: null, notBefore: 0, claimedAt: 0 };
  await database
    .insertInto('reminders')
    .values({ uid, ...reminder, sentAt: null, stoppedBy: null })
    .execute();
  await client.documents.deleteActivity(deleted);
  await publishName(client, 'Ana');
  await client.site.saveSection(withFields(await client.site.getDraft(), 'identity', { shortName: 'Bia' }));
  const storage = storageOf(user);
  assert.equal((await storage.upload(`profilePics/${uid}/foto`, await png())).status, 204);
  assert.equal((await storage.start(`profilePics/${uid}/outra`, 1_000)).response.status, 201);
}

/** The user shares the diary, shows a note, and is a clinician. */
async function fillShares({ database, join }: Pick<TestServer, 'database' | 'join'>, user: JoinedUser) {
  const { clinician } = await joinClinician({ database, join });
  const { name, crm } = clinician;
  const [today, id] = [dayInBrasilia(Date.now()), randomUUID()];
  const shares = await user.client.diaryShares();
  const expiresAt = endOfDay(today);
  const scope = { from: today, to: today, notes: false, practices: false, expiresAt };
  const consent = consentText(clinician, scope);
  await shares.grant({ id, clinicianUid: clinician.uid, scope, consentVersion, consent });
  const note = { questions: ['a?', 'b?', 'c?'], answers: ['a', '', ''], base: 0, day: today };
  await shares.saveNote(id, { ...note, clinicianUid: clinician.uid });
  await database
    .insertInto('diaryReads')
    .values({
      ...{ id, uid: user.uid, at: 1, what: 'entries', shareId: id, fromDay: today, toDay: today },
      ...{ clinicianUid: clinician.uid, clinicianName: name, crm },
    })
    .execute();
  await database
    .insertInto('clinicians')
    .values({ uid: user.uid, name, crm: 'CRM-SP 1', namedAt: 1 })
    .execute();
  await database
    .insertInto('assignments')
    .values({
      ...{ id, uid: user.uid, clinicianUid: clinician.uid, clinicianName: name, activityId: 'a', title: 'A' },
      ...{ fromDay: today, toDay: today, timesPerWeek: 1, skippedWeeks: '[]', createdAt: 1 },
      ...{ withdrawnAt: null, sealed: null },
    })
    .execute();
}

/**
 * Returns the tables with a row that contains the user's id or email address. One can be `userEntries`, a
 * copy of `users` for SQLite's search index.
 */
async function tablesAbout({ database }: TestServer, { uid, email }: JoinedUser): Promise<string[]> {
  const tables = await database.introspection.getTables();
  const found: string[] = [];
  // SQLite's search index has no readable columns.
  for (const { name } of tables.filter(({ name }) => !name.startsWith('usersSearch'))) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database);
    const text = JSON.stringify(rows);
    if (text.includes(uid) || text.includes(email)) found.push(name);
  }
  return found;
}

/**
 * Finds tables that neither a feature nor `otherTables` names, and tables in `otherTables` whose columns or
 * foreign keys refer to users.
 */
async function findForgottenTables(server: TestServer): Promise<string[]> {
  const named = new Set<string>(personalData.flatMap(({ tables }) => tables));
  const withForeignKey = await tablesWithForeignKey(server);
  return (await tablesOf(server))
    .filter(({ name }) => !named.has(name))
    .filter(
      ({ name, columns }) =>
        !(name in otherTables) ||
        withForeignKey.has(name) ||
        columns.some((column) => userColumn.test(column.name)),
    )
    .map(({ name }) => name)
    .toSorted();
}

/** Returns all tables except SQLite's search index, a copy of `users` kept by triggers (migration 008). */
async function tablesOf({ database }: TestServer) {
  const tables = await database.introspection.getTables();
  return tables.filter(({ name }) => name !== 'userEntries' && !name.startsWith('usersSearch'));
}

/** Returns the tables with a foreign key to users. */
async function tablesWithForeignKey({ database, kind }: TestServer): Promise<Set<string>> {
  const query =
    kind === 'sqlite'
      ? sql<{ name: string }>`select tables.name from sqlite_master as tables
          join pragma_foreign_key_list(tables.name) as keys where keys."table" = 'users'`
      : sql<{ name: string }>`select relname as name from pg_constraint
          join pg_class on pg_class.oid = conrelid where confrelid = 'users'::regclass`;
  const { rows } = await query.execute(database);
  return new Set(rows.map(({ name }) => name));
}
