import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { createEmptyPostgres, databaseKinds } from '../testing/databases.ts';
import { createOldTables } from '../testing/old-versions/old-site.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { connect, type Database, type DatabaseKind, migrate } from './connect.ts';
import { migrations } from './migrations/migrations.ts';

const [last01, last02] = ['013-access-log-actor', '033-public-practices'];
/** Today's name of the last migration of 0.2.0. Later migrations change the tables. */
const version02 = '033-version-0-2';

for (const kind of databaseKinds)
  describe(`a database of an earlier version on ${kind}`, { concurrency: true }, () => {
    it('of 0.1.0 gets the same tables and rows as with the migrations of that time', async (t) => {
      const [old, today] = [await createWithRows(t, kind), await createWithRows(t, kind)];
      await createOldTables(old, last02);
      assert.deepEqual(await migrate(today.database, version02), [version02]);
      assert.deepEqual(await tablesOf(today.database, kind), await tablesOf(old.database, kind));
      assert.deepEqual(await rowsOf(today.database), await rowsOf(old.database));
      await assertMigratesOn(today.database);
    });

    it('of 0.2.0 stays as it is', async (t) => {
      const { database, ...place } = await createWithRows(t, kind);
      await createOldTables(place, last02);
      const before = [await tablesOf(database, kind), await rowsOf(database)];
      assert.deepEqual(await migrate(database, version02), []);
      assert.deepEqual([await tablesOf(database, kind), await rowsOf(database)], before);
      await assertMigratesOn(database);
    });

    it('gets search keys that every apostrophe and dash finds', async (t) => {
      const { database } = await createWithRows(t, kind);
      await migrate(database, version02);
      await sql`update users set "displayName" = 'Ana–Lúcia D’Ávila' where id = 'ana'`.execute(database);
      await migrate(database);
      const { rows } = await sql<{ searchKey: string }>`
        select "searchKey" from users where id = 'ana'`.execute(database);
      assert.equal(rows[0]?.searchKey, "ana-lucia d'avila ana@exemplo.com.br");
    });

    it('of 0.2.0 has the tables of a new database of this version', async (t) => {
      const [old, today] = [await create(t, kind), await create(t, kind)];
      await createOldTables(old, last02);
      assert.deepEqual(await migrate(today.database, version02), ['013-version-0-1', version02]);
      assert.deepEqual(await tablesOf(today.database, kind), await tablesOf(old.database, kind));
      assert.deepEqual(await rowsOf(today.database), await rowsOf(old.database));
    });

    it('between 0.1.0 and 0.2.0 is refused, and nothing changes', async (t) => {
      const { database, ...place } = await create(t, kind);
      await createOldTables(place, '029-backup-place');
      const before = [await tablesOf(database, kind), await storedNames(database)];
      const message = /versão de teste deste programa.*029-backup-place.*Nada foi mudado/;
      await assert.rejects(migrate(database), { name: 'StartError', message });
      const settings = {
        AUTH_SECRET: 'a secret of the tests, long enough',
        DATABASE_URL: place.databaseUrl ?? '',
      };
      await assert.rejects(startServerProcess(place.dataDir, settings), { message });
      assert.deepEqual([await tablesOf(database, kind), await storedNames(database)], before);
    });
  });

async function create(t: TestContext, kind: DatabaseKind) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-old-'));
  const databaseUrl = kind === 'sqlite' ? undefined : await createEmptyPostgres();
  const database = connect({ dataDir, databaseUrl });
  t.after(async () => {
    await database.destroy();
    await rm(dataDir, { recursive: true });
  });
  return { dataDir, databaseUrl, database };
}

/** Creates a database of version 0.1.0 with users, files and activities. */
async function createWithRows(t: TestContext, kind: DatabaseKind) {
  const place = await create(t, kind);
  await createOldTables(place, last01);
  const run = (text: string) => sql.raw(text).execute(place.database);
  const time = `'2026-01-01T00:00:00.000Z'`;
  for (const [id, picture] of [
    ['ana', '/files/profilePics/ana'],
    ['rui', 'https://exemplo.com.br/rui.jpg'],
  ])
    await run(`insert into users (id, "displayName", email, "emailVerified", "profilePic", "createdAt",
      "updatedAt", member, staff, research, "searchKey") values ('${id}', '${id}', '${id}@exemplo.com.br',
      true, '${picture}', ${time}, ${time}, 'true', false, false, '${id}')`);
  await run(`insert into accounts (id, "accountId", "providerId", "userId", "accessToken", "createdAt",
    "updatedAt") values ('a', '1', 'google', 'rui', 'secret', ${time}, ${time})`);
  await run(`insert into files (path, key, "contentType", "sizeBytes", "storedBytes", sha256, versions, token,
    "createdAt") values ('postAudios/mind/som', 'ab', 'audio/mpeg', 8, 9, 'x', '{}', 't', 1)`);
  await run(`insert into uploads (id, "ownerId", path, key, "storeState", "declaredType", "sizeBytes",
    "offsetBytes", "createdAt", "expiresAt") values ('u', 'ana', 'p', 'cd', '', 'audio/mpeg', 5, 0, 1, 2)`);
  await run(`insert into activities (id, list, position, axis, title, url, image, audio, content, "createdAt",
    "updatedAt", "updatedBy") values ('m', 'mindActsList', 1, 'mind', 't', '', '', '', 'c', 1, 1, 'ana')`);
  return place;
}

async function storedNames(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

async function assertMigratesOn(database: Database): Promise<void> {
  await migrate(database);
  assert.deepEqual(await storedNames(database), Object.keys(migrations));
  assert.deepEqual(await migrate(database), []);
}

/** Describes the tables with everything that belongs to them, without white space and quotes. */
async function tablesOf(database: Database, kind: DatabaseKind): Promise<string[]> {
  const { rows } = await (kind === 'sqlite'
    ? sql<{ text: string }>`select coalesce(sql, name) as text from sqlite_master`
    : sql<{ text: string }>`
          select table_name || ' ' || ordinal_position || ' ' || column_name || ' ' || data_type || ' ' ||
            is_nullable || ' ' || coalesce(column_default, '') || ' ' || coalesce(collation_name, '') as text
            from information_schema.columns where table_schema = 'public'
          union select indexdef from pg_indexes where schemaname = 'public'
          union select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
            from pg_constraint where connamespace = 'public'::regnamespace
          union select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
          union select pg_get_functiondef(oid) from pg_proc
            where pronamespace = 'public'::regnamespace and proname like 'tally%'
          union select attrelid::regclass || '.' || attname || ' ' || attstattarget from pg_attribute
            where attstattarget > 0`
  ).execute(database);
  return rows
    .map(({ text }) => text.replaceAll(/["\s]/g, ''))
    .filter((text) => !text.includes('kysely_migration'))
    .sort();
}

/** Returns the rows of all tables, without the records about the migrations. */
async function rowsOf(database: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name } of await database.introspection.getTables()) {
    if (name === 'oldestPrograms') continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database);
    all[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return all;
}
