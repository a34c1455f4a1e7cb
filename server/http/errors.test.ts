import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { temporaryFolder } from '#server/testing/moves.ts';
import { isFullLevel } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestUser, visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { mp3, storageOf } from '../testing/storage.ts';

const list = paths.documents.activities('mindActsList');

describe('a failing disk or database gives 503, and the server recovers', () => {
  it('when SQLite may not write', async (t) => {
    const server = await startTestServer(t, 'sqlite');
    const admin = await server.join('admin');
    await sql`pragma query_only = on`.execute(server.database);
    await assertUnavailable(await create(admin));
    assert.equal((await admin.fetch(list)).status, 200);
    await sql`pragma query_only = off`.execute(server.database);
    assert.equal((await create(admin)).status, 201);
  });

  if (isFullLevel)
    it('when PostgreSQL accepts only reads', async (t) => {
      const server = await startTestServer(t, 'postgres', { environment: { DATABASE_POOL: '1' } });
      const admin = await server.join('admin');
      await sql`set session characteristics as transaction read only`.execute(server.database);
      await assertUnavailable(await create(admin));
      // The server has dropped the read-only connection.
      assert.equal((await create(admin)).status, 201);
    });

  it('when pages of the database are damaged', async (t) => {
    const server = await startTestServer(t, 'sqlite');
    const admin = await server.join('admin');
    assert.equal((await create(admin)).status, 201);
    await sql`pragma wal_checkpoint(truncate)`.execute(server.database);
    await sql`pragma cache_size = 0`.execute(server.database);
    const { rows } = await sql<{ rootpage: number }>`
      select rootpage from sqlite_master where name = 'activities'`.execute(server.database);
    const file = path.join(server.dataDir, 'acolhe.sqlite');
    const handle = await open(file, 'r+');
    t.after(() => handle.close());
    const pageBytes = 4_096;
    const start = ((rows[0]?.rootpage ?? 1) - 1) * pageBytes;
    assert.ok(start > 0 && start < (await stat(file)).size);
    await handle.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, start);
    await sql`pragma shrink_memory`.execute(server.database);
    await assertUnavailable(await create(admin));
    assert.equal((await admin.fetch(paths.auth.session)).status, 200);
  });

  // Reads the open files of a process of Linux.
  if (isFullLevel)
    it('when the process has too many open files', async (t) => {
      const dataDir = await temporaryFolder(t);
      const server = await startServerProcess(dataDir);
      t.after(() => server.kill());
      const admin = visitorAt(server.url, server.url);
      await admin.client.auth.signUp({
        ...{ displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' },
      });
      await admin.client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
      const storage = storageOf(admin);
      assert.equal((await storage.send('postAudios/mind/antes', mp3(1_000))).status, 201);

      const limitFiles = (most: number) =>
        execFileSync('prlimit', ['--pid', String(server.pid), `--nofile=${most}:`]);
      const used = new Set(readdirSync(`/proc/${server.pid}/fd`).map(Number));
      let lowestFree = 0;
      while (used.has(lowestFree)) lowestFree += 1;
      // From now on the server cannot open another file. This client's connection is already open.
      limitFiles(lowestFree);
      await assertUnavailable(await storage.send('postAudios/mind/cheio', mp3(1_000)));
      limitFiles(1_024);
      assert.equal((await storage.send('postAudios/mind/depois', mp3(1_000))).status, 201);
    });
});

function create(admin: TestUser): Promise<Response> {
  return admin.fetch(`${list}/items`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sampleActivity()),
  });
}

async function assertUnavailable(response: Response) {
  const { code } = errorBody.parse(await response.json());
  assert.deepEqual([response.status, code], [503, 'server/unavailable']);
  assert.ok(response.headers.has('retry-after'));
}
