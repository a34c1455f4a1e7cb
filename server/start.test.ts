import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connect } from './database/connect.ts';
import { createTestDatabase, databaseKinds, isFullLevel, type TestDatabase } from './testing/databases.ts';
import { refusedWith } from './testing/refused.ts';
import { listAdminIds, publishedSite, visitorAt } from './testing/server.ts';
import { startServerProcess } from './testing/server-process.ts';

const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };

async function testDatabase(t: TestContext, kind: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  const database = await createTestDatabase(kind);
  t.after(() => database.remove());
  return database;
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-start-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(t: TestContext, database: TestDatabase, environment: Record<string, string> = {}) {
  const { dataDir, databaseUrl } = database;
  const server = await startServerProcess(dataDir, {
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...environment,
  });
  t.after(() => server.kill());
  return server;
}

describe('the first-admin link', () => {
  for (const kind of databaseKinds)
    it(`stays valid after another start until it is used, on ${kind}`, async (t) => {
      const database = await testDatabase(t, kind);
      const first = await start(t, database);
      const link = first.firstAdminPath();
      await first.stop();
      const second = await start(t, database);
      assert.match(link, /^\/primeiro-acesso#[\w-]{43}$/);
      assert.equal(second.firstAdminPath(), link);

      const { auth } = visitorAt(second.url, second.url).client;
      await auth.signUp(account);
      const [, token = ''] = link.split('#');
      await auth.becomeFirstAdmin(token);
      await assert.rejects(auth.becomeFirstAdmin(token), refusedWith('auth/invalid-link'));
      const rows = connect(database);
      const admins = await listAdminIds(rows);
      await rows.destroy();
      assert.equal(admins.length, 1);
    });
});

if (isFullLevel)
  describe('a site on PostgreSQL with its files in a data folder', () => {
    it('refuses a server with another folder, and accepts a copy of the folder', async (t) => {
      const database = await testDatabase(t, 'postgres');
      const first = await start(t, database);
      const elsewhere = await temporaryFolder(t);
      const other = { ...database, dataDir: elsewhere };
      const refusal = { message: /estão em outra pasta de dados.*\n.*npm run move -- --to-s3/s };
      await assert.rejects(start(t, other), refusal);
      await first.stop();
      await assert.rejects(start(t, other), refusal);

      await rm(elsewhere, { recursive: true });
      await cp(database.dataDir, elsewhere, { recursive: true });
      const moved = await start(t, other);
      assert.equal((await fetch(`${moved.url}/readyz`)).status, 200);
    });

    it('refuses a second server on the same folder', async (t) => {
      const database = await testDatabase(t, 'postgres');
      const first = await start(t, database);
      await assert.rejects(start(t, database), { message: /Outro servidor já usa a pasta de dados/ });
      await first.kill();
      await start(t, database);
    });

    it('lets only one of two servers that start concurrently have the files', async (t) => {
      const database = await testDatabase(t, 'postgres');
      const folders = [await temporaryFolder(t), await temporaryFolder(t)];
      const starts = await Promise.allSettled(folders.map((dataDir) => start(t, { ...database, dataDir })));
      assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });
  });

describe('the output of a start', () => {
  it('ends with the first steps in numbered lines, on a new installation', async (t) => {
    const database = await testDatabase(t, 'sqlite');
    const server = await start(t, database);
    const lines = server.log().trimEnd().split('\n');
    assert.match(lines.at(-3) ?? '', /^Acolhe no ar em http/);
    assert.match(lines.at(-2) ?? '', /^ {2}1\. .*\/primeiro-acesso#/);
    assert.match(lines.at(-1) ?? '', /^ {2}2\. .*\/admin\/site$/);
    assert.ok(lines.length <= 6, server.log());
  });

  it('warns on a published site without SMTP_URL, and the log contains no link of a mail', async (t) => {
    const database = await testDatabase(t, 'sqlite');
    const server = await start(t, database, publishedSite);
    const visitor = visitorAt(server.url, publishedSite.PUBLIC_URL);
    await visitor.client.auth.signUp(account);
    // The server finishes sending its mails before it exits.
    await server.stop();
    const [mail = ''] = await readdir(path.join(database.dataDir, 'outbox'));
    assert.match(mail, /\.eml$/);
    assert.match(server.log(), /Sem SMTP_URL, nenhum e-mail sai/);
    assert.match(server.log(), new RegExp(`outbox/${mail}`));
    assert.doesNotMatch(server.log(), /token=|email-confirmado|verify-email/);
  });

  it('contains the link of a mail on localhost, for developers', async (t) => {
    const database = await testDatabase(t, 'sqlite');
    const server = await start(t, database);
    const { auth } = visitorAt(server.url, server.url).client;
    await auth.signUp(account);
    await auth.requestPasswordReset(account.email);
    await server.stop();
    assert.match(server.log(), /\.eml http:\/\/localhost:\d+\/nova-senha#/);
  });
});
