import assert from 'node:assert/strict';
import { readdir, watch } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { sqliteFileIn } from '#server/database/installation/data-folder.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { mp3 } from '#server/testing/storage.ts';
import { until } from '#server/testing/until.ts';
import {
  account,
  content,
  hashConfig,
  list,
  practice,
  projectId,
  smallProject,
  userRecord,
  writeProject,
} from './testing/fixture.ts';
import { dump, importFrom, startImport } from './testing/run.ts';

const files = 25;

/** A project whose import takes long enough to be stopped in each of its steps. */
async function writeLongProject(t: TestContext) {
  const accounts = Array.from({ length: 1_500 }, (_, index) => account(`pessoa${index}`));
  return writeProject(t, {
    ...{ id: projectId, hashConfig, accounts },
    documents: [
      ...accounts.map(({ localId }) => userRecord(localId)),
      list('mindActsList', [practice('um', 'mind')]),
    ],
    contents: Array.from({ length: files }, (_, index) =>
      content(`postAudios/mind/som${index}`, mp3(50_000, index + 1), 'audio/mpeg'),
    ),
  });
}

/** Waits until an import has read the export. Does not poll, because that would slow the import down. */
async function isChecking(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename?.startsWith('.versoes-')) return;
}

const isStoring = async ({ database }: TestServer) =>
  (await database.selectFrom('discardedContents').select('key').limit(1).execute()).length > 0;

/** True if another process has a transaction that writes users. */
async function isAddingRows(server: TestServer): Promise<boolean> {
  if (server.kind === 'postgres') {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like 'insert into "users"%'`.execute(
      server.database,
    );
    return rows.length > 0;
  }
  // SQLite: true once all contents are stored and another process has the write lock.
  const folder = path.join(server.dataDir, 'files');
  const stored = (await readdir(folder, { recursive: true })).filter((name) => name.includes('/'));
  if (stored.length < files) return false;
  const other = new DatabaseSync(sqliteFileIn(server.dataDir), { timeout: 0 });
  try {
    other.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    other.close();
  }
}

async function assertEmpty({ database }: TestServer): Promise<void> {
  const { discardedContents: _, ...rows } = await dump(database);
  const { activityLists, ...others } = rows;
  for (const table of ['users', 'accounts', 'wordMood', 'activities', 'files', 'uploads'])
    assert.deepEqual(others[table], [], table);
  assert.ok(activityLists?.every((one) => Number((one as { version: unknown }).version) === 0));
}

for (const kind of allDatabaseKinds) {
  describe(`stopping an import on ${kind}`, () => {
    it('Ctrl+C and kill -9 while an import stores files or adds rows leave an installation that is still empty and can be imported into', async (t) => {
      const server = await startTestServer(t, kind);
      const folder = await writeLongProject(t);
      for (const [signal, moment] of [
        ['SIGKILL', isStoring],
        ['SIGINT', isAddingRows],
        ['SIGKILL', isAddingRows],
      ] as const) {
        const checking = isChecking(folder);
        const { child, ended } = startImport(server, 'firebase', folder);
        await checking;
        await until(async () => child.exitCode !== null || (await moment(server)));
        assert.equal(child.exitCode, null, 'the import must still run');
        child.kill(signal);
        const { code, output } = await ended;
        if (signal === 'SIGINT') {
          assert.equal(code, 130);
          assert.equal(output, 'A importação foi interrompida. Nada foi importado; ela pode ser repetida.');
          assert.equal(await isStoring(server), false, 'the contents are removed, too');
        }
        await assertEmpty(server);
      }
      await importFrom(server, folder);
      assert.equal((await server.database.selectFrom('users').select('id').execute()).length, 1_500);
      // The stopped imports have left nothing in the data folder or beside the export.
      const keys = (await server.database.selectFrom('files').select('key').execute()).map(({ key }) => key);
      const stored = await readdir(path.join(server.dataDir, 'files'), { recursive: true });
      assert.deepEqual(
        stored
          .filter((name) => name.includes('/'))
          .map((name) => path.basename(name))
          .sort(),
        keys.sort(),
      );
      assert.deepEqual(await readdir(path.join(server.dataDir, 'uploads')), []);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.startsWith('.')),
        [],
      );
    });

    it('an import that is stopped while it checks pictures changes nothing', async (t) => {
      const server = await startTestServer(t, kind);
      const folder = await writeProject(t, await smallProject());
      const before = await dump(server.database);
      const stop = new AbortController();
      const pending = importFrom(server, folder, { stopped: stop.signal });
      await until(async () => (await readdir(folder)).some((name) => name.startsWith('.versoes-')));
      stop.abort();
      await assert.rejects(pending, { name: 'AbortError' });
      assert.deepEqual(await dump(server.database), before);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.startsWith('.')),
        [],
      );
    });
  });
}
