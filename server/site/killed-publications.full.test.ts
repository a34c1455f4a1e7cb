import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { renderedPages } from '#contract/site/public-pages.ts';
import { connect, type Database } from '../database/connect.ts';
import { allDatabaseKinds, createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { visitorAt } from '../testing/server.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { publishName, realIdentity, sectionOf, withFields } from '../testing/site-content.ts';

const pages = [...renderedPages, '/admin'];

/** The moment when the server is killed: inside the transaction, after its commit, or at any time. */
const moments = ['in the transaction', 'after the commit', 'at any moment'] as const;
const longestMs = 200;

for (const kind of allDatabaseKinds)
  it(`shows the old or the new version on every page, and loses no draft, when it is killed during publications on ${kind}`, async (t) => {
    const test = await createTestDatabase(kind);
    const { dataDir, databaseUrl } = test;
    const environment = databaseUrl ? { DATABASE_URL: databaseUrl } : undefined;
    let server = await startServerProcess(dataDir, environment);
    const database = connect({ dataDir, databaseUrl });
    t.after(async () => {
      await server.kill();
      await database.destroy();
      await test.remove();
    });
    const { port } = server;
    const { client } = await firstAdmin(server);
    const { site } = client;
    let shown = { version: await publishName(client, 'Clínica 0'), name: 'Clínica 0' };

    for (const moment of moments) {
      const name = `Outra ${moment}`;
      await site.saveSection(
        withFields(await site.getDraft(), 'identity', { ...realIdentity, shortName: name }),
      );
      const { tag } = await site.getDraft();
      const resume = moment === 'in the transaction' ? await pausePublications(test, database) : undefined;
      const publishing = site.publish(tag, { warningsConfirmed: true }).then(
        () => true,
        () => false,
      );
      if (resume) await until(() => isPaused(test, database));
      else if (moment === 'after the commit')
        await until(async () => (await readVersion(database)) === shown.version + 1);
      else await setTimeout(Math.random() * longestMs);
      await server.kill();
      const acknowledged = await publishing;
      await resume?.();
      server = await startServerProcess(dataDir, { ...environment, PORT: port });

      const draft = await site.getDraft();
      const identity = sectionOf(draft, 'identity');
      const isNew = draft.version === shown.version + 1;
      assert.ok(isNew || draft.version === shown.version);
      assert.ok(isNew || !acknowledged, 'an acknowledged publication is kept');
      // Checks that both outcomes occur: the old and the new version.
      if (moment === 'in the transaction') assert.equal(isNew, false);
      if (moment === 'after the commit') assert.equal(isNew, true);
      if (isNew) shown = { version: draft.version, name };
      assert.deepEqual([identity.content.shortName, identity.changed], [name, !isNew]);
      for (const page of pages) {
        const html = await (await fetch(server.url + page)).text();
        assert.match(html, new RegExp(`"version":${shown.version},`), page);
        assert.match(html, new RegExp(`"shortName":"${shown.name}"`), page);
        if (page !== '/admin') assert.match(html, new RegExp(`<title>[^<]*${shown.name}</title>`), page);
      }
      assert.equal((await site.listVersions()).length, shown.version);
    }
    await server.stop();
  });

const readVersion = async (database: Database) =>
  (await database.selectFrom('siteState').select('version').executeTakeFirstOrThrow()).version;

async function until(condition: () => Promise<boolean>) {
  while (!(await condition())) await setTimeout(1);
}

/**
 * Makes each publication wait in its transaction, after it has written the version.
 * @returns a function that lets publications continue
 */
async function pausePublications({ kind }: TestDatabase, database: Database): Promise<() => Promise<void>> {
  if (kind === 'postgres') {
    const holder = await database.startTransaction().execute();
    // After a publication has written the version, it deletes the draft, and has to wait for this lock.
    await sql`lock table "siteDrafts" in share mode`.execute(holder);
    return async () => {
      await holder.rollback().execute();
    };
  }
  // SQLite cannot lock a single table. Instead, a trigger counts for longer than the test runs, so that the
  // publication stays in its transaction.
  await sql`create view "longCount" as with recursive counter(n) as
    (select 1 union all select n + 1 from counter where n < 10000000000) select count(*) as n from counter`.execute(
    database,
  );
  await sql`create trigger "pause" after insert on "siteVersions"
    begin select n from "longCount"; end`.execute(database);
  return async () => {
    await sql`drop trigger "pause"`.execute(database);
    await sql`drop view "longCount"`.execute(database);
  };
}

/** True if a publication waits in its transaction. */
async function isPaused({ kind, dataDir }: TestDatabase, database: Database): Promise<boolean> {
  if (kind === 'postgres') {
    // Other tests use the same PostgreSQL server, so this query looks only at one database.
    const waiting = await sql`select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where not granted and datname = current_database()`.execute(database);
    return waiting.rows.length > 0;
  }
  const other = new DatabaseSync(path.join(dataDir, 'acolhe.sqlite'), { timeout: 0 });
  try {
    other.exec('begin immediate; rollback');
    return false;
  } catch (error) {
    assert.match(String(error), /database is locked/);
    return true;
  } finally {
    other.close();
  }
}

async function firstAdmin({ url, firstAdminPath }: ServerProcess) {
  const user = visitorAt(url, url);
  await user.client.auth.signUp({ displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' });
  await user.client.auth.becomeFirstAdmin(firstAdminPath().split('#')[1] ?? '');
  return user;
}
