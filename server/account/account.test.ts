import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import { paths } from '#contract/paths.ts';
import { beginSession } from '../testing/cookies.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestServer, visitorAt } from '../testing/server.ts';
import { until } from '../testing/until.ts';

type Credentials = { email: string; password: string };

/** Signs in the same user in another browser. */
async function elsewhere(server: TestServer, { email, password }: Credentials) {
  const user = visitorAt(server.url);
  await user.client.auth.signIn({ email, password });
  return user;
}

for (const kind of databaseKinds) {
  describe(`account on ${kind}`, { concurrency: true }, () => {
    it("lists only the user's sessions, and ends the others", async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      await server.join();
      const phone = await elsewhere(server, ana);
      const sessions = await ana.client.auth.listSessions();
      assert.equal(sessions.length, 2);
      assert.deepEqual(sessions.map(({ current }) => current).sort(), [false, true]);
      await ana.client.auth.endOtherSessions();
      assert.equal(await phone.client.auth.findSession(), undefined);
      assert.equal((await ana.client.auth.listSessions()).length, 1);
    });

    it("ends one session of the user, and never another user's", async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const [phone, tablet] = [await elsewhere(server, ana), await elsewhere(server, ana)];
      const current = (await phone.client.auth.listSessions()).find((session) => session.current);
      const id = current?.id ?? '';
      for (const foreign of [id, 'nenhuma', '\0']) await bia.client.auth.endSession(foreign);
      assert.ok(await phone.client.auth.findSession());
      await ana.client.auth.endSession(id);
      assert.equal(await phone.client.auth.findSession(), undefined);
      assert.ok(await tablet.client.auth.findSession());
      assert.ok(await ana.client.auth.findSession());
      await ana.client.auth.endSession(id);
    });

    it('changes the password if the current one is given, and ends all other sessions', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const phone = await elsewhere(server, ana);
      const next = 'outrasenha99';
      const wrong = ana.client.auth.changePassword({ current: 'errada12345', next });
      await assert.rejects(wrong, refusedWith('auth/wrong-password'));
      const common = ana.client.auth.changePassword({ current: ana.password, next: 'password1' });
      await assert.rejects(
        common,
        (error) => error instanceof ClientError && error.issues[0]?.path === 'next',
      );
      await ana.client.auth.changePassword({ current: ana.password, next });
      assert.equal(await phone.client.auth.findSession(), undefined);
      assert.ok(await ana.client.auth.findSession(), 'this browser stays signed in, with a new session');
      await assert.rejects(elsewhere(server, ana), refusedWith('auth/invalid-credentials'));
      await elsewhere(server, { ...ana, password: next });
    });

    it('exports all data of a user, with the admins who read or changed it', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join('no', 'Ana');
      const admin = await server.join('admin', 'Dora Admin');
      const record = { palavras: ['calma'] };
      await server.database
        .insertInto('wordMood')
        .values({ uid: ana.uid, record: JSON.stringify(record) })
        .execute();
      await ana.client.documents.subscribeToNewsletter(ana.email);
      await server.mails();
      const subscription = async () => (await ana.client.documents.exportAccount()).newsletter;
      assert.equal(await subscription(), false, 'a stranger may have signed up with the address');
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      await ana.client.documents.getUser(ana.uid);
      await admin.client.documents.listUsers();
      await admin.client.documents.getUser(ana.uid);
      await admin.client.documents.updateUser(ana.uid, { member: true, staff: true });

      const data = await ana.client.documents.exportAccount();
      const [session] = await ana.client.auth.listSessions();
      assert.deepEqual(data.user, await ana.client.documents.getUser(ana.uid));
      assert.deepEqual(data.wordMood, record);
      assert.deepEqual(data.sessions, [session]);
      assert.equal(data.signInMethods.length, 1);
      assert.equal(data.signInMethods[0]?.provider, 'credential');
      assert.equal(data.emailVerified, true);
      assert.ok(Math.abs(data.createdAt - Date.now()) < 60_000);
      assert.ok(data.newsletter && data.newsletter.confirmedAt === null);
      assert.deepEqual(
        data.accessLog.map(({ by, action, what }) => [by, action, what]),
        [
          ['Dora Admin', 'read', 'users'],
          ['Dora Admin', 'read', 'users'],
          ['Dora Admin', 'change', 'member staff'],
        ],
      );
      const own = await admin.client.documents.exportAccount();
      assert.deepEqual(own.accessLog, [], "users' access to their own data is not logged");
      const { cookie, token } = await beginSession(server, ana);
      const response = await fetch(server.url + paths.documents.accountExport, { headers: { cookie } });
      assert.equal(response.status, 200);
      const text = await response.text();
      const stored = await server.database
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.userId', 'sessions.userId')
        .select(['token', 'password'])
        .execute();
      for (const secret of [token, ...stored.flatMap(({ token, password }) => [token, password ?? 'none'])])
        assert.ok(!text.includes(secret));
    });

    it('deletes an account and ends its sessions, if the password is given', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const phone = await elsewhere(server, ana);
      await assert.rejects(
        ana.client.auth.deleteAccount({ password: 'errada12345' }),
        refusedWith('auth/wrong-password'),
      );
      assert.ok(await ana.client.auth.findSession());
      await ana.client.auth.deleteAccount({ password: ana.password });

      assert.equal(await ana.client.auth.findSession(), undefined);
      assert.equal(await phone.client.auth.findSession(), undefined);
      await assert.rejects(elsewhere(server, ana), refusedWith('auth/invalid-credentials'));
    });

    it('deletes nothing if the session ends while the password is checked', async (t) => {
      const server = await startTestServer(t, kind, { passwordCost: 2 ** 15 });
      const ana = await server.join();
      const deletion = assert.rejects(
        ana.client.auth.deleteAccount({ password: ana.password }),
        refusedWith('auth/unauthenticated'),
      );
      const attempts = server.database.selectFrom('attempts').select('key');
      await until(async () => {
        const row = await attempts.where('key', 'like', 'passwordByAccount %').executeTakeFirst();
        return row !== undefined;
      });
      await server.database.deleteFrom('sessions').execute();
      await deletion;
      assert.ok(await server.database.selectFrom('users').select('id').executeTakeFirst());
    });

    it('does not delete the last admin', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      await assert.rejects(
        admin.client.auth.deleteAccount({ password: admin.password }),
        refusedWith('auth/last-admin'),
      );
      assert.ok(await admin.client.auth.findSession());
    });

    it('limits the attempts at the current password in an open session', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, password } = await server.join();
      for (let index = 0; index < 10; index += 1) {
        await assert.rejects(
          client.auth.deleteAccount({ password: 'errada12345' }),
          refusedWith('auth/wrong-password'),
        );
      }
      await assert.rejects(client.auth.deleteAccount({ password }), refusedWith('auth/too-many-attempts'));
    });
  });
}
