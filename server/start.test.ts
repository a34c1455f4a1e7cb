import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connect } from './database/connect.ts';
import { createTestDatabase, databaseKinds, type TestDatabase } from './testing/databases.ts';
import { refusedWith } from './testing/refused.ts';
import { listAdminIds, publishedSite, visitorAt } from './testing/server.ts';
import { startServerProcess } from './testing/server-process.ts';

const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
/** Several instances on one database need the same secret. */
const sharedSecret = 'one secret for all instances of this test';

async function testDatabase(t: TestContext, kind: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  const database = await createTestDatabase(kind);
  t.after(() => database.remove());
  return database;
}

async function start(t: TestContext, database: TestDatabase, environment: Record<string, string> = {}) {
  const { dataDir, databaseUrl } = database;
  const server = await startServerProcess(dataDir, {
    ...(databaseUrl && { DATABASE_URL: databaseUrl, AUTH_SECRET: sharedSecret }),
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
      // Instances on PostgreSQL run at the same time; SQLite has one server at a time.
      if (kind === 'sqlite') await first.stop();
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
    assert.match(server.log(), /Sem SMTP_URL, nenhum e-mail sai/);
    const visitor = visitorAt(server.url, publishedSite.PUBLIC_URL);
    await visitor.client.auth.signUp(account);
    // The server finishes its mails before it ends.
    await server.stop();
    const [mail = ''] = await readdir(path.join(database.dataDir, 'outbox'));
    assert.match(mail, /\.eml$/);
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
    assert.match(server.log(), /\.eml http:\/\/localhost:\d+\/nova-senha\?token=/);
  });
});
