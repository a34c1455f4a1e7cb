import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import {
  createTestDatabase,
  databaseKinds,
  isFullLevel,
  type TestDatabase,
} from '../../testing/databases.ts';
import { connect, type Database, type DatabaseKind } from '../connect.ts';
import { copiedTables, tableRows } from './columns.ts';
import { clearNewInstallation, requireNewInstallation } from './new-installation.ts';
import { readRows, WrongValue, writeRows } from './rows.ts';
import { digestTables, inSnapshot } from './snapshot.ts';
import type { ColumnKind } from './table-rows.ts';

/** The types of each kind of column in PostgreSQL, then in SQLite. */
const columnTypes: Record<ColumnKind, string[]> = {
  flag: ['bool', 'integer'],
  time: ['timestamptz', 'text'],
  number: ['int4', 'int8', 'integer', 'bigint'],
  text: ['text'],
  json: ['text'],
};
/** The tables that only the search on SQLite uses. Triggers fill them. */
const searchTable = /^(?:userEntries|usersSearch.*)$/;

for (const kind of databaseKinds) {
  describe(`rows on ${kind}`, { concurrency: true }, () => {
    it('have a declared kind for every column of every table', async (t) => {
      const { database } = await open(t, kind);
      assert.deepEqual(await undeclaredColumns(database), []);
      await sql`alter table users add column nickname text`.execute(database);
      await sql`create table notes (id text)`.execute(database);
      assert.deepEqual(await undeclaredColumns(database), ['notes.id', 'users.nickname']);
    });

    it('are read as they were at the beginning, while others write and delete', async (t) => {
      const { database, environment } = await open(t, kind);
      await addUsers(database, 2_500);
      const ids = await inSnapshot(environment, async (transaction) => {
        const read: unknown[] = [];
        for await (const page of readRows(transaction, 'users', tableRows.users)) {
          read.push(...page.map(({ id }) => id));
          await sql`delete from users where id = ${idOf(2_499 - read.length)}`.execute(database);
          await addUsers(database, 1, 10_000 + read.length);
        }
        return read;
      });
      assert.deepEqual(
        ids,
        Array.from({ length: 2_500 }, (_, number) => idOf(number)),
      );
    });

    it('are refused with another column, or with a value of another kind', async (t) => {
      const { database } = await open(t, kind);
      const { columns } = tableRows.favourites;
      const row = { uid: 'a', activityId: 'b', createdAt: 1 };
      for (const wrong of [
        { ...row, createdAt: '1' },
        { ...row, createdAt: 1.5 },
        { ...row, more: 1 },
      ])
        await assert.rejects(writeRows(database, 'favourites', columns, [wrong]), WrongValue);
      const { uid: _, ...incomplete } = row;
      await assert.rejects(writeRows(database, 'favourites', columns, [incomplete]), WrongValue);
    });

    it('belong to a new installation only without users, activities and files', async (t) => {
      const { database } = await open(t, kind);
      await requireNewInstallation(database, 'aqui');
      await addUsers(database, 1);
      await assert.rejects(requireNewInstallation(database, 'aqui'), {
        name: 'StartError',
        message: /users/,
      });
    });
  });
}

describe('rows', () => {
  if (isFullLevel)
    it('have equal digests after a copy from SQLite to PostgreSQL and back', async (t) => {
      const [first, second, third] = [
        await open(t, 'sqlite'),
        await open(t, 'postgres'),
        await open(t, 'sqlite'),
      ];
      await fill(first.database);
      const digests = await digestTables(first.database, 'moves');
      assert.equal(digests.users?.rows, 300);
      await copy(first, second);
      await copy(second, third);
      assert.deepEqual(await digestTables(second.database, 'moves'), digests);
      assert.deepEqual(await digestTables(third.database, 'moves'), digests);
      await third.database
        .updateTable('users')
        .set({ staff: true })
        .where('id', '=', 'user-000007')
        .execute();
      assert.notDeepEqual((await digestTables(third.database, 'moves')).users, digests.users);
      // Triggers fill the tally of users.
      for (const { database } of [second, third]) {
        const { total } = await database
          .selectFrom('userTally')
          .select((row) => row.fn.sum<number>('change').as('total'))
          .executeTakeFirstOrThrow();
        assert.equal(Number(total), 300);
      }
    });
});

async function open(t: TestContext, kind: DatabaseKind) {
  const environment: TestDatabase = await createTestDatabase(kind);
  const database = connect(environment);
  t.after(async () => {
    await database.destroy();
    await environment.remove();
  });
  return { database, environment };
}

/**
 * Returns the columns that have no declaration or a wrong one, and the declared columns that do not exist.
 */
async function undeclaredColumns(database: Database): Promise<string[]> {
  const tables = (await database.introspection.getTables()).filter(({ name }) => !searchTable.test(name));
  const actual = new Map<string, string>(
    tables.flatMap(({ name, columns }) =>
      columns.map((column): [string, string] => [`${name}.${column.name}`, column.dataType.toLowerCase()]),
    ),
  );
  const declared = new Map<string, ColumnKind>(
    Object.entries(tableRows).flatMap(([table, { columns }]) =>
      Object.entries(columns).map(([column, kind]): [string, ColumnKind] => [`${table}.${column}`, kind]),
    ),
  );
  const fits = (column: string, type: string) => {
    const kind = declared.get(column);
    return kind !== undefined && columnTypes[kind].includes(type);
  };
  return [
    ...[...actual].filter(([column, type]) => !fits(column, type)).map(([column]) => column),
    ...[...declared.keys()].filter((column) => !actual.has(column)),
  ].sort();
}

async function addUsers(database: Database, count: number, first = 0): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => sampleUser(first + index));
  await writeRows(database, 'users', tableRows.users.columns, rows);
}

const idOf = (number: number) => `user-${String(number).padStart(6, '0')}`;

const sampleUser = (number: number) => ({
  id: idOf(number),
  displayName: `Ana ${number} "Lúcia" 🌱`,
  email: `${number}@exemplo.com.br`,
  emailVerified: number % 2 === 0,
  profilePic: null,
  createdAt: '2026-02-28T23:59:59.007Z',
  updatedAt: '2026-03-01T00:00:00.000Z',
  member: 'no',
  staff: false,
  research: true,
  category: number % 3 === 0 ? null : '',
  lastSeenOn: number % 2 === 0 ? null : '2026-03-01',
  searchKey: `ana ${number}`,
  twoFactorEnabled: number === 1,
  ownName: false,
  ownPicture: false,
});

/** Writes rows that cover every kind of column. Some rows are very long. */
async function fill(database: Database): Promise<void> {
  await addUsers(database, 300);
  const time = '2026-02-28T23:59:59.007Z';
  const session = {
    ...{ expiresAt: '2027-01-01T00:00:00.000Z', createdAt: time, updatedAt: time, strong: false },
  };
  await writeRows(database, 'sessions', tableRows.sessions.columns, [
    { id: 's', token: 't', userId: idOf(1), ipAddress: '::1', userAgent: null, ...session },
  ]);
  const secondFactor = { secret: 'x', backupCodes: 'y', verified: true };
  await writeRows(database, 'twoFactors', tableRows.twoFactors.columns, [
    { id: 'f', userId: idOf(1), ...secondFactor, failedVerificationCount: 2, lockedUntil: time },
  ]);
  await writeRows(database, 'wordMood', tableRows.wordMood.columns, [
    { uid: idOf(2), record: '{"2026-11-23": "calma",  "n": 1.50}' },
  ]);
  const version = { note: '', publishedAt: 1, publishedBy: null };
  const longVersions = Array.from({ length: 40 }, (_, index) => ({
    version: index + 1,
    content: JSON.stringify('é'.repeat(100_000)),
    ...version,
  }));
  await writeRows(database, 'siteVersions', tableRows.siteVersions.columns, longVersions);
  const bigNumber = { key: 'k', count: 3, endsAt: Number.MAX_SAFE_INTEGER };
  await writeRows(database, 'attempts', tableRows.attempts.columns, [bigNumber]);
}

/** Copies into a new installation the rows that a move copies. */
async function copy(source: Opened, target: Opened): Promise<void> {
  await inSnapshot(source.environment, (from) =>
    target.database.transaction().execute(async (to) => {
      await clearNewInstallation(to);
      for (const table of copiedTables('moves'))
        for await (const page of readRows(from, table, tableRows[table]))
          await writeRows(to, table, tableRows[table].columns, page);
    }),
  );
}

type Opened = Awaited<ReturnType<typeof open>>;
