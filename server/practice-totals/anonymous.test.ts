import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { practiceEvents } from '#contract/practices/totals.ts';
import { beginSession } from '../testing/cookies.ts';
import { databaseKinds } from '../testing/databases.ts';
import { signUpAdmins } from '../testing/recorded-writes.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';

const ip = '203.0.113.77';
const userAgent = 'NavegadorDaPessoa/7.0';
const language = 'pt-AO';

/** The headers of a browser that sends its cookies. This site's own client sends events without cookies. */
const headersFrom = (cookie: string, origin: string) => ({
  ...{ 'content-type': 'application/json', origin, cookie, referer: `${origin}/practices?quem=ana` },
  ...{ 'x-forwarded-for': ip, 'user-agent': userAgent, 'accept-language': language },
});

for (const kind of databaseKinds) {
  it(`events leave nothing about a visitor in any table, even with a session's cookie, on ${kind}`, async (t) => {
    const server = await startTestServer(t, kind, { environment: { TRUSTED_PROXIES: 'loopback' } });
    const admin = await server.join('admin');
    const { id } = await admin.client.documents.createActivity(sampleActivity());
    const user = await server.join('no', 'Ana Visitante');
    const { cookie, token } = await beginSession(server, user);
    const before = await rowsOf(server);
    for (const event of practiceEvents) {
      const response = await fetch(server.url + paths.documents.practiceEvents, {
        ...{ method: 'POST', headers: headersFrom(cookie, server.origin) },
        body: JSON.stringify({ id, event }),
      });
      assert.equal(response.status, 204);
      assert.deepEqual(response.headers.getSetCookie(), []);
    }
    const after = await rowsOf(server);
    const changed = [...after].filter(([table, rows]) => rows !== before.get(table));
    assert.deepEqual(changed.map(([table]) => table).sort(), ['attempts', 'practiceTotals']);
    const sessions = await server.database.selectFrom('sessions').select(['id', 'token']).execute();
    const secrets = [ip, userAgent, language, user.uid, user.email, token, 'quem=ana'];
    for (const secret of [...secrets, ...sessions.flatMap(Object.values)])
      for (const [table, rows] of changed) assert.ok(!rows.includes(secret), `${table}: ${secret}`);
    for (const [table, rows] of after)
      for (const secret of [ip, userAgent, language])
        assert.ok(!rows.includes(secret), `${table}: ${secret}`);
    assert.ok(!after.get('attempts')?.includes(id), 'the rate limit does not know the practice');
  });
}

describe('the log and the usage records', () => {
  it('say that an event came from an IP address, but not for which practice or with which session', async (t) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-totals-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServerProcess(dataDir, { LOG_LEVEL: 'debug', TRUSTED_PROXIES: 'loopback' });
    t.after(() => server.kill());
    const [admin] = await signUpAdmins(server.url, server.firstAdminPath(), 1);
    assert.ok(admin);
    const { id } = await admin.client.documents.createActivity(sampleActivity());
    const { uid, email } = (await admin.client.auth.findSession())?.user ?? { uid: '', email: '' };
    const logged = server.log().length;
    const cookie = 'acolhe-session=valorDoCookie';
    const response = await fetch(server.url + paths.documents.practiceEvents, {
      ...{ method: 'POST', headers: headersFrom(cookie, server.url) },
      body: JSON.stringify({ id, event: 'opened' }),
    });
    assert.equal(response.status, 204);
    await server.stop();

    const folder = path.join(dataDir, 'usage-records');
    const [file = ''] = await readdir(folder);
    const records = (await readFile(path.join(folder, file), 'utf8')).trim().split('\n');
    const ours = records.filter((line) => line.includes(ip));
    assert.equal(ours.length, 1);
    const { at: _, ...record } = JSON.parse(ours[0] ?? '') as { at: string };
    const { practiceEvents: where } = paths.documents;
    assert.deepEqual(record, { ip, method: 'POST', path: where, status: 204 });

    const log = server.log().slice(logged);
    assert.ok(log.includes(where));
    for (const secret of [id, uid, email, userAgent, language, 'valorDoCookie', 'quem=ana']) {
      assert.notEqual(secret, '');
      assert.ok(!log.includes(secret), secret);
    }
  });
});

/** Returns all rows of each table as text. SQLite's search index has no readable columns. */
async function rowsOf({ database }: TestServer): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const { name } of await database.introspection.getTables()) {
    if (name.startsWith('usersSearch')) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database);
    all.set(name, JSON.stringify(rows.map((row) => JSON.stringify(row)).sort()));
  }
  return all;
}
