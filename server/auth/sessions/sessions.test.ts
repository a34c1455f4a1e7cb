import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { beginSession } from '#server/testing/cookies.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { publishedSite, startTestServer } from '#server/testing/server.ts';

const json = { 'content-type': 'application/json' };

for (const kind of databaseKinds) {
  describe(`sessions on ${kind}`, { concurrency: true }, () => {
    it('keeps the session token in an HttpOnly cookie and out of every body', async (t) => {
      const server = await startTestServer(t, kind);
      const { email, password } = await server.join();
      const response = await fetch(server.url + paths.auth.signIn, {
        method: 'POST',
        headers: { ...json, origin: server.origin },
        body: JSON.stringify({ email, password }),
      });
      const [cookie = ''] = response.headers.getSetCookie();
      assert.match(cookie, /^acolhe-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
      const [, token = ''] = /=([^;.]+)/.exec(decodeURIComponent(cookie)) ?? [];
      assert.ok(token.length >= 32);
      const session = await fetch(server.url + paths.auth.session, {
        headers: { cookie: cookie.split(';', 1)[0] ?? '' },
      });
      const bodies = (await response.text()) + (await session.text());
      assert.ok(!bodies.includes(token));
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });

    it('uses a __Host- cookie that is sent only by https on a published site', async (t) => {
      const server = await startTestServer(t, kind, { environment: publishedSite });
      const response = await fetch(server.url + paths.auth.signUp, {
        method: 'POST',
        headers: { ...json, ...(await server.visitor.appCheck()), origin: server.origin },
        body: JSON.stringify({ displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' }),
      });
      assert.equal(response.status, 201);
      const cookie = response.headers.getSetCookie().find((line) => line.includes('-session=')) ?? '';
      assert.match(
        cookie,
        /^__Host-acolhe-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    });

    it('ends the session at sign-out: the old cookie is no longer valid', async (t) => {
      const server = await startTestServer(t, kind);
      const { uid, email, password } = await server.join();
      const signIn = await fetch(server.url + paths.auth.signIn, {
        method: 'POST',
        headers: { ...json, origin: server.origin },
        body: JSON.stringify({ email, password }),
      });
      const cookie = signIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
      const record = () => fetch(server.url + paths.documents.user(uid), { headers: { cookie } });
      assert.equal((await record()).status, 200);
      const signOut = await fetch(server.url + paths.auth.signOut, {
        method: 'POST',
        headers: { cookie, origin: server.origin },
      });
      assert.equal(signOut.status, 204);
      assert.equal((await record()).status, 401);
      await server.visitor.client.auth.signOut();
    });

    it('refuses a forged or altered cookie', async (t) => {
      const server = await startTestServer(t, kind);
      const user = await server.join();
      const { uid } = user;
      const { token } = await beginSession(server, user);
      for (const value of [token, `${token}.c2lnbmF0dXJl`, '', 'a.b', '%00', '"']) {
        const headers = { cookie: `acolhe-session=${value}` };
        const response = await fetch(server.url + paths.documents.user(uid), { headers });
        assert.equal(response.status, 401, value);
      }
    });

    it('begins a new session at every sign-in and ignores a token that a browser sends', async (t) => {
      const server = await startTestServer(t, kind);
      const { email, password } = await server.join();
      const planted = 'acolhe-session=plantado.assinatura';
      const tokens = new Set<string>();
      for (const cookie of [planted, planted, '']) {
        const response = await fetch(server.url + paths.auth.signIn, {
          method: 'POST',
          headers: { ...json, origin: server.origin, ...(cookie && { cookie }) },
          body: JSON.stringify({ email, password }),
        });
        tokens.add(response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '');
      }
      assert.equal(tokens.size, 3);
      assert.ok(![...tokens].some((token) => token.includes('plantado')));
    });

    it('ends a session thirty days after it began, regardless of use', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join();
      const began = new Date(Date.now() - 31 * 24 * 60 * 60_000);
      const time = kind === 'sqlite' ? began.toISOString() : began;
      await sql`update sessions set ${sql.ref('createdAt')} = ${time}`.execute(server.database);
      assert.equal(await client.auth.findSession(), undefined);
      assert.deepEqual(await server.database.selectFrom('sessions').select('id').execute(), []);
    });
  });
}
