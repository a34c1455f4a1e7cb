import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { activityInput, startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`users on ${kind}`, { concurrency: true }, () => {
    it('lets people change their own name and picture, and nothing else', async (t) => {
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

    it('lets admins set member, staff, research and category, and not a person’s name', async (t) => {
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

    it('never leaves the library without an admin, even when two demote each other at once', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join('admin'), await server.join('admin')];
      const results = await Promise.allSettled([
        ana.client.documents.updateUser(bia.uid, { member: false }),
        bia.client.documents.updateUser(ana.uid, { member: false }),
      ]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      const admins = await server.database
        .selectFrom('users')
        .select('id')
        .where('member', '=', 'admin')
        .execute();
      assert.equal(admins.length, 1);
      const last = admins[0]?.id === ana.uid ? ana : bia;
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

    it('lists users by name, without regard to accents and case, page after page', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin', 'zélia');
      for (const name of ['Ágata', 'ana', 'Bárbara', 'érica']) await server.join('no', name);
      const names: string[] = [];
      let after: string | undefined;
      do {
        const page = await client.documents.listUsers({ limit: 2, ...(after && { after }) });
        assert.equal(page.total, 5);
        assert.ok(page.documents.length <= 2);
        names.push(...page.documents.map(({ displayName }) => displayName));
        after = page.next ?? undefined;
      } while (after);
      assert.deepEqual(names, ['Ágata', 'ana', 'Bárbara', 'érica', 'zélia']);
    });

    it('searches name and e-mail; signs that mean something to databases mean nothing here', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin', '100% José_');
      await server.join('no', 'Maria');
      const names = async (search: string) =>
        (await client.documents.listUsers({ search })).documents.map(({ displayName }) => displayName);
      assert.deepEqual(await names('JOSE'), ['100% José_']);
      assert.deepEqual(await names('%'), ['100% José_']);
      assert.deepEqual(await names('é_'), ['100% José_']);
      assert.deepEqual(await names("' or 1=1 --"), []);
      assert.deepEqual(await names('\\'), []);
      assert.equal((await names('@exemplo.com.br')).length, 2);
      await client.documents.updateUser((await client.auth.findSession())?.user.uid ?? '', {
        displayName: 'Raí',
      });
      assert.deepEqual(await names('jose'), []);
      assert.deepEqual(await names('rai'), ['Raí']);
    });

    it('lists exactly the fields of the record', async (t) => {
      const server = await startTestServer(t, kind);
      const { fetch, uid } = await server.join('admin');
      const page = (await (await fetch(paths.documents.users)).json()) as { documents: object[] };
      const fields = ['displayName', 'email', 'id', 'member', 'profilePic', 'research', 'staff'];
      assert.deepEqual(
        page.documents.map((document) => Object.keys(document).sort()),
        [fields],
      );
      const own = (await (await fetch(paths.documents.user(uid))).json()) as object;
      assert.deepEqual(Object.keys(own).sort(), fields);
    });

    it('answers false for a missing record or mood record', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, uid } = await server.join('admin');
      assert.equal(await client.documents.getUser('ninguem'), false);
      assert.equal(await client.documents.getWordMood(uid), false);
      const record = JSON.stringify({ palavras: ['calma'], humor: 3 });
      await server.database.insertInto('wordMood').values({ uid, record }).execute();
      assert.deepEqual(await client.documents.getWordMood(uid), { palavras: ['calma'], humor: 3 });
    });

    it('counts users and activities', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      await server.join();
      for (const axis of ['mind', 'mind', 'move', 'family', 'fun'] as const) {
        await client.documents.createActivity(activityInput({ axis }));
      }
      assert.deepEqual(await client.documents.getCounts(), {
        users: 2,
        mind: 2,
        move: 1,
        nutri: 0,
        values: 2,
      });
    });
  });
}
