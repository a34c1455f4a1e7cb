import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { beginSession } from '#server/testing/cookies.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { origin, startTestServer, type TestServer } from '#server/testing/server.ts';
import { hashOfToken } from '../hashed-tokens.ts';

const path = paths.auth.sessions;

for (const kind of databaseKinds) {
  describe(`the session of a cookie on ${kind}`, { concurrency: true }, () => {
    it('is found repeatedly, with any other cookies', async (t) => {
      const server = await startTestServer(t, kind);
      const cookie = await signedIn(server);
      for (const line of [cookie, `a=b; ${cookie}; c=%E0%A4%A`, ` ${cookie};`])
        assert.equal(await statusOf(server, line), 200, line);
    });

    it('is not found by a changed token, a changed or missing signature, or another secret', async (t) => {
      const server = await startTestServer(t, kind);
      const [name = '', value = ''] = (await signedIn(server)).split('=', 2);
      const [token = '', signature = ''] = decodeURIComponent(value).split('.');
      const lines = [
        `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}.${signature}`,
        `${token}.${signature.startsWith('a') ? 'b' : 'a'}${signature.slice(1)}`,
        `${token}.${'A'.repeat(43)}=`,
        `${token}.`,
        token,
        `.${signature}`,
        '.',
        '',
        `${token}.${signature}.${signature}`,
      ];
      for (const line of lines)
        assert.equal(await statusOf(server, `${name}=${encodeURIComponent(line)}`), 401, line);
      assert.equal(await statusOf(server, `${name}=%E0%A4%A`), 401);
      assert.equal(await statusOf(server, `x${name}=${value}`), 401);
    });

    it('ends when it expires and at sign-out', async (t) => {
      const server = await startTestServer(t, kind);
      const { database } = server;
      const [late, gone] = [await signedIn(server), await signedIn(server)];
      const past =
        kind === 'sqlite' ? new Date(Date.now() - 1_000).toISOString() : new Date(Date.now() - 1_000);
      const token = decodeURIComponent(late.split('=')[1] ?? '').split('.')[0] ?? '';
      const { numUpdatedRows } = await database
        .updateTable('sessions')
        .set({ expiresAt: past } as never)
        .where('token', '=', hashOfToken(token))
        .executeTakeFirst();
      assert.equal(numUpdatedRows, 1n);
      assert.equal(await statusOf(server, late), 401);
      const signOut = await fetch(server.url + paths.auth.signOut, {
        method: 'POST',
        headers: { cookie: gone, origin },
      });
      assert.equal(signOut.status, 204);
      assert.equal(await statusOf(server, gone), 401);
    });
  });
}

/** Returns the session cookie of a new user. */
const signedIn = async (server: TestServer) => (await beginSession(server, await server.join())).cookie;

async function statusOf(server: TestServer, cookie: string): Promise<number> {
  const response = await fetch(server.url + path, { headers: { cookie } });
  await response.arrayBuffer();
  return response.status;
}
