import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';
import { countAttempts, rateLimits } from '../rate-limits.ts';

type User = Awaited<ReturnType<TestServer['join']>>;

for (const kind of databaseKinds) {
  describe(`known browsers on ${kind}`, { concurrency: true }, () => {
    it('have counts of their own, so that the thief of one cookie cannot lock out the owner', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const [phone, laptop] = [await markOf(server, ana), await markOf(server, ana)];
      await lockUnknownBrowsers(server, ana);
      for (let turn = 0; turn < rateLimits.signInByKnownBrowser.attempts; turn += 1)
        assert.equal(await signIn(server, { ...ana, password: 'errada12345' }, phone), 401);
      assert.equal(await signIn(server, ana, phone), 429);
      assert.equal(await signIn(server, ana, laptop), 200);
    });

    it('get a new mark at each sign-in, and the old one is no longer valid', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const old = await markOf(server, ana);
      await markOf(server, ana, old);
      await lockUnknownBrowsers(server, ana);
      assert.equal(await signIn(server, ana, old), 429);
    });

    it('are forgotten after a reset and after a change of the password', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const marks = [await markOf(server, ana), await markOf(server, ana)];
      await ana.client.auth.changePassword({ current: ana.password, next: 'outrasenha99' });
      const changed = { ...ana, password: 'outrasenha99' };
      await server.visitor.client.auth.requestPasswordReset(ana.email);
      const [mail] = await server.mails();
      const token = /nova-senha#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
      marks.push(await markOf(server, changed));
      await server.visitor.client.auth.resetPassword({ token, password: 'novasenha99' });
      await lockUnknownBrowsers(server, ana);
      for (const mark of marks)
        assert.equal(await signIn(server, { ...ana, password: 'novasenha99' }, mark), 429);
    });

    it('keep the marks of the other accounts of the browser', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const both = await markOf(server, bia, await markOf(server, ana));
      for (const user of [ana, bia]) {
        await lockUnknownBrowsers(server, user);
        assert.equal(await signIn(server, user, both), 200);
      }
    });
  });
}

async function send(server: TestServer, { email, password }: User, cookie: string) {
  return fetch(server.url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin, cookie },
    body: JSON.stringify({ email, password }),
  });
}

const signIn = async (server: TestServer, user: User, cookie: string) =>
  (await send(server, user, cookie)).status;

/** Signs in, in a browser with this cookie. @returns the cookie of the known browser */
async function markOf(server: TestServer, user: User, cookie = ''): Promise<string> {
  const lines = (await send(server, user, cookie)).headers.getSetCookie();
  const line = lines.find((one) => one.startsWith('acolhe-known='));
  return line?.split(';', 1)[0] ?? assert.fail('no mark');
}

async function lockUnknownBrowsers(server: TestServer, { email }: User) {
  for (let turn = 0; turn < rateLimits.signInByAccount.attempts; turn += 1)
    await countAttempts(server, [['signInByAccount', email]]);
  const { client } = visitorAt(server.url);
  await assert.rejects(client.auth.signIn({ email, password: 'errada12345' }));
}
