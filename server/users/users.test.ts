import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientError } from '#client/client-error.ts';
import { paths, preferNoContent } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { sampleActivity } from '../testing/samples.ts';
import { listAdminIds, startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`users on ${kind}`, { concurrency: true }, () => {
    it('says in lists and in the export whether the email address is verified', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const { uid, email } = await server.join();
      const found = async () => {
        const [user] = (await admin.client.documents.listUsers({ search: email })).documents;
        const csv = await (await admin.fetch(paths.documents.usersCsv)).text();
        const line = csv.split('\r\n').find((one) => one.includes(email)) ?? '';
        return [user?.emailVerified, line.split(';').at(-2)];
      };
      assert.deepEqual(await found(), [false, '"não"']);
      await server.database.updateTable('users').set({ emailVerified: true }).where('id', '=', uid).execute();
      assert.deepEqual(await found(), [true, '"sim"']);
    });

    it('lets users change only their own name and picture', async (t) => {
      const server = await startTestServer(t, kind);
      const { uid, client } = await server.join();
      const changed = await client.documents.updateUser(uid, {
        displayName: 'Íris',
        profilePic: '/files/foto.webp',
      });
      assert.deepEqual(await client.documents.getUser(uid), changed);
      assert.equal(changed.displayName, 'Íris');
      assert.equal((await client.documents.updateUser(uid, { profilePic: false })).profilePic, false);
      for (const patch of [
        { member: 'admin' as const },
        { staff: true },
        { research: true },
        { category: 'x' },
      ]) {
        await assert.rejects(client.documents.updateUser(uid, patch), refusedWith('request/invalid'));
      }
      const { displayName, ...flags } = changed;
      assert.deepEqual(await client.documents.getUser(uid), { ...flags, displayName, profilePic: false });
    });

    it('lets admins set member, staff, research and category, but not a user’s name', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const { uid, client } = await server.join();
      const flags = { member: true, staff: true, research: true, category: 'patient' };
      const changed = await admin.client.documents.updateUser(uid, flags);
      assert.deepEqual(await client.documents.getUser(uid), { ...changed, ...flags });
      const renaming = admin.client.documents.updateUser(uid, { displayName: 'Outro nome' });
      await assert.rejects(renaming, refusedWith('request/invalid'));
      await assert.rejects(
        admin.client.documents.updateUser('ninguem', { staff: true }),
        refusedWith('documents/not-found'),
      );
    });

    it('removes a category', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const { uid } = await server.join();
      await admin.client.documents.updateUser(uid, { category: 'patient' });
      const { category, ...rest } = await admin.client.documents.updateUser(uid, { category: null });
      assert.equal(category, undefined);
      assert.deepEqual(await admin.client.documents.getUser(uid), rest);
    });

    it('refuses a change based on an old record and returns the current record', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join('admin'), await server.join('admin')];
      const { uid, email } = await server.join('no', 'Caio');
      const [seen] = (await ana.client.documents.listUsers({ search: email })).documents;
      assert.ok(seen);
      await bia.client.documents.updateUser(uid, { member: true });
      await assert.rejects(ana.client.documents.updateListedUser(seen, { member: 'admin' }), (error) => {
        assert.ok(refusedWith('documents/precondition-failed')(error));
        assert.equal(((error as ClientError).current as { member: unknown }).member, true);
        return true;
      });
      const [now] = (await ana.client.documents.listUsers({ search: email })).documents;
      assert.ok(now);
      const first = await ana.client.documents.updateListedUser(now, { staff: true });
      const second = await ana.client.documents.updateListedUser(first, { research: true });
      assert.deepEqual({ ...now, staff: true, research: true, tag: second.tag }, second);
    });

    it('logs each change in the access log of its user, with the admin and the fields', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin', 'Dra. Íris');
      const { uid, client } = await server.join();
      await admin.client.documents.updateUser(uid, { member: true });
      await admin.client.documents.updateUser(uid, { staff: true, category: 'patient' });
      await admin.client.documents.listUsers();
      const { accessLog } = await client.documents.exportAccount();
      assert.deepEqual(
        accessLog.map(({ by, action, what }) => [by, action, what]),
        [
          ['Dra. Íris', 'change', 'member'],
          ['Dra. Íris', 'change', 'staff category'],
          ['Dra. Íris', 'read', 'users'],
        ],
      );
    });

    it('lets an admin mark an email address as verified only where no mail is set up', async (t) => {
      for (const environment of [{}, { SMTP_URL: 'smtp://127.0.0.1:1' }]) {
        const server = await startTestServer(t, kind, { environment });
        const [admin, ana] = [await server.join('admin', 'Dra. Íris'), await server.join()];
        const hasMail = 'SMTP_URL' in environment;
        const { documents } = await admin.client.documents.listUsers({ search: ana.email });
        assert.equal(documents[0]?.canBeVerified, !hasMail);
        const mark = (user: typeof ana) =>
          user.fetch(paths.documents.user(ana.uid), {
            method: 'PATCH',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ emailVerified: true }),
          });
        assert.equal((await mark(ana)).status, 400);
        assert.equal((await mark(admin)).status, hasMail ? 403 : 200);
        const { emailVerified, accessLog } = await ana.client.documents.exportAccount();
        assert.equal(emailVerified, !hasMail);
        assert.equal(
          accessLog.some(({ action, what }) => action === 'change' && what === 'emailVerified'),
          !hasMail,
        );
      }
    });

    it('tells all other admins of a promoted user by mail, once, also when mails fail', async (t) => {
      const server = await startTestServer(t, kind);
      const [alice, other] = [await server.join('admin', 'Alice'), await server.join('admin')];
      const { uid, email } = await server.join('editor', 'Caio');
      await alice.client.documents.updateUser(uid, { member: true });
      await alice.client.documents.updateUser(uid, { member: 'admin' });
      await alice.client.documents.updateUser(uid, { member: 'admin', staff: true });
      const told = (await server.mails()).filter(({ subject = '' }) => subject.startsWith('Há mais uma'));
      assert.deepEqual(told.flatMap(({ to }) => to?.map(({ address }) => address)).sort(), [
        ...[alice.email, other.email].sort(),
      ]);
      for (const { text = '' } of told) assert.match(text, new RegExp(`Alice mudou o papel de ${email}`));

      const unreachable = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'nao-responda@exemplo.com.br' };
      const cut = await startTestServer(t, kind, { environment: unreachable });
      const [admin, patient] = [await cut.join('admin'), await cut.join()];
      const promoted = await admin.client.documents.updateUser(patient.uid, { member: 'admin' });
      assert.equal(promoted.member, 'admin');
    });

    it('always keeps an admin, even when two admins demote each other concurrently', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join('admin'), await server.join('admin')];
      let last = ana;
      for (let round = 0; round < 10; round += 1) {
        const results = await Promise.allSettled([
          ana.client.documents.updateUser(bia.uid, { member: false }),
          bia.client.documents.updateUser(ana.uid, { member: false }),
        ]);
        const refusals = results.flatMap((result) =>
          result.status === 'rejected' ? [result.reason.code] : [],
        );
        assert.equal(refusals.length, 1);
        assert.ok(['auth/last-admin', 'auth/forbidden'].includes(refusals[0]), refusals[0]);
        const admins = await listAdminIds(server.database);
        assert.equal(admins.length, 1);
        last = admins[0] === ana.uid ? ana : bia;
        const other = last === ana ? bia : ana;
        await last.client.documents.updateUser(other.uid, { member: 'admin' });
      }
      const other = last === ana ? bia : ana;
      await last.client.documents.updateUser(other.uid, { member: false });
      await assert.rejects(
        last.client.documents.updateUser(last.uid, { member: true }),
        refusedWith('auth/last-admin'),
      );
    });

    it('honours If-Match and If-None-Match on a record', async (t) => {
      const server = await startTestServer(t, kind);
      const { uid, fetch } = await server.join();
      const path = paths.documents.user(uid);
      const tag = (await fetch(path)).headers.get('etag') ?? '';
      assert.equal((await fetch(path, { headers: { 'if-none-match': tag } })).status, 304);
      const rename = (displayName: string) =>
        fetch(path, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', 'if-match': tag },
          body: JSON.stringify({ displayName }),
        });
      assert.equal((await rename('Primeiro')).status, 200);
      const late = await rename('Segundo');
      assert.equal(late.status, 412);
      assert.equal(
        ((await late.json()) as { current: { displayName: string } }).current.displayName,
        'Primeiro',
      );
    });

    it('lists exactly the fields of the record', async (t) => {
      const server = await startTestServer(t, kind);
      const { fetch, uid } = await server.join('admin');
      const page = (await (await fetch(paths.documents.users)).json()) as { documents: object[] };
      const fields = ['displayName', 'email', 'id', 'member', 'profilePic', 'research', 'staff'];
      assert.deepEqual(
        page.documents.map((document) => Object.keys(document).sort()),
        [[...fields, 'canBeVerified', 'createdAt', 'emailVerified', 'lastSeenOn', 'tag'].sort()],
      );
      const own = (await (await fetch(paths.documents.user(uid))).json()) as object;
      assert.deepEqual(Object.keys(own).sort(), fields);
    });

    it('returns false for a missing user record or mood record', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, uid, fetch } = await server.join('admin');
      assert.equal(await client.documents.getUser('ninguem'), false);
      assert.equal(await client.documents.getWordMood(uid), false);
      for (const [headers, status] of [
        [{}, 404],
        [{ prefer: preferNoContent }, 204],
      ] as const)
        assert.equal((await fetch(paths.documents.wordMood(uid), { headers })).status, status);
      const record = JSON.stringify({ palavras: ['calma'], humor: 3 });
      await server.database.insertInto('wordMood').values({ uid, record }).execute();
      assert.deepEqual(await client.documents.getWordMood(uid), { palavras: ['calma'], humor: 3 });
    });

    it('counts users and activities', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      await server.join();
      for (const axis of ['mind', 'mind', 'move', 'family', 'fun'] as const) {
        await client.documents.createActivity(sampleActivity({ axis }));
      }
      assert.deepEqual(await client.documents.getCounts(), {
        users: 2,
        newUsers: { in7Days: 1, in30Days: 1 },
        mind: 2,
        move: 1,
        nutri: 0,
        values: 2,
      });
    });
  });
}
