import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import { type Activity, activityTag } from '#contract/activity.ts';
import { listNames } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { activityInput, startTestServer } from '../testing/server.ts';

const code = (expected: ClientError['code']) => (error: unknown) =>
  error instanceof ClientError && error.code === expected;

for (const kind of databaseKinds) {
  describe(`activities on ${kind}`, { concurrency: true }, () => {
    it('reads each list as one document with one field of its own name', async (t) => {
      const { visitor } = await startTestServer(t, kind);
      for (const list of listNames) {
        const response = await visitor.fetch(paths.documents.activities(list));
        assert.deepEqual(await response.json(), { [list]: [] });
      }
    });

    it('appends a new activity to the list of its axis, with id and times of the server', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const before = Date.now();
      const first = await client.documents.createActivity(activityInput());
      const second = await client.documents.createActivity(activityInput({ title: 'Folhas no riacho' }));
      assert.match(first.id, new RegExp(`^[\\w-]{12}${first.createdAt}$`));
      assert.ok(first.createdAt >= before && first.updatedAt === first.createdAt);
      const { activities } = await server.visitor.client.documents.getActivities('mindActsList');
      assert.deepEqual(activities, [first, second]);
    });

    it('keeps family, career, fun and values among the values', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const axes = ['family', 'career', 'fun', 'values'] as const;
      for (const axis of axes) await client.documents.createActivity(activityInput({ axis }));
      const { activities } = await client.documents.getActivities('valuesActsList');
      assert.deepEqual(
        activities.map(({ axis }) => axis),
        axes,
      );
    });

    it('replaces an edited activity in its place and sets updatedAt', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const first = await client.documents.createActivity(activityInput());
      const second = await client.documents.createActivity(activityInput());
      const edited = await client.documents.updateActivity(first, activityInput({ title: 'Outro nome' }));
      assert.deepEqual(edited, { ...first, title: 'Outro nome', updatedAt: edited.updatedAt });
      assert.ok(edited.updatedAt > first.updatedAt);
      const { activities } = await client.documents.getActivities('mindActsList');
      assert.deepEqual(activities, [edited, second]);
    });

    it('moves an activity to the list of its new axis', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const created = await client.documents.createActivity(activityInput());
      const moved = await client.documents.updateActivity(created, activityInput({ axis: 'family' }));
      assert.equal(moved.id, created.id);
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, []);
      assert.deepEqual((await client.documents.getActivities('valuesActsList')).activities, [moved]);
      await assert.rejects(client.documents.deleteActivity(created), code('documents/not-found'));
    });

    it('answers an edit of an old version with 412 and the activity as it is now', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join('admin'), await server.join('admin')];
      const base = await ana.client.documents.createActivity(activityInput());
      const saved = await ana.client.documents.updateActivity(base, activityInput({ content: 'De Ana' }));
      const late = bia.client.documents.updateActivity(base, activityInput({ content: 'De Bia' }));
      await assert.rejects(late, (error: unknown) => {
        assert.ok(error instanceof ClientError);
        assert.equal(error.status, 412);
        assert.equal(error.code, 'documents/precondition-failed');
        assert.deepEqual(error.current, saved);
        return true;
      });
      assert.deepEqual((await bia.client.documents.getActivities('mindActsList')).activities, [saved]);
    });

    it('lets one of two simultaneous edits of the same version win', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const base = await client.documents.createActivity(activityInput());
      const edits = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          client.documents.updateActivity(base, activityInput({ title: `Edição ${index}` })),
        ),
      );
      const won = edits.filter(({ status }) => status === 'fulfilled');
      assert.equal(won.length, 1);
      const { activities } = await client.documents.getActivities('mindActsList');
      assert.deepEqual(
        activities,
        won.map((result) => result.status === 'fulfilled' && result.value),
      );
    });

    it('asks an edit and a whole-list write to say what they are based on', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, fetch } = await server.join('admin');
      const { axis, id } = await client.documents.createActivity(activityInput());
      assert.equal(axis, 'mind');
      const writes: [string, unknown][] = [
        [paths.documents.activityItem('mindActsList', id), activityInput()],
        [paths.documents.activities('mindActsList'), { mindActsList: [] }],
      ];
      for (const [path, body] of writes) {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(path, { method: 'PUT', headers, body: JSON.stringify(body) });
        assert.equal(response.status, 428);
      }
      assert.equal((await client.documents.getActivities('mindActsList')).activities.length, 1);
    });

    it('removes by id, and says so when there is nothing to remove', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const [first, second] = [
        await client.documents.createActivity(activityInput()),
        await client.documents.createActivity(activityInput()),
      ];
      await client.documents.deleteActivity(first);
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, [second]);
      await assert.rejects(client.documents.deleteActivity(first), code('documents/not-found'));
    });

    it('reorders by a whole-list write: nothing else changes', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      for (let index = 0; index < 5; index += 1) {
        await client.documents.createActivity(activityInput({ title: `Prática ${index}` }));
      }
      const { activities, tag } = await client.documents.getActivities('mindActsList');
      const reversed = activities.toReversed();
      const written = await client.documents.replaceActivities('mindActsList', reversed, tag);
      assert.deepEqual(written.activities, reversed);
      assert.deepEqual(await client.documents.getActivities('mindActsList'), written);
      const appended = await client.documents.createActivity(activityInput());
      const last = (await client.documents.getActivities('mindActsList')).activities.at(-1);
      assert.deepEqual(last, appended);
    });

    it('refuses a whole-list write from an old copy, with duplicates, or with another list’s activities', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const { documents } = client;
      const elsewhere = await documents.createActivity(activityInput({ axis: 'move' }));
      const old = await documents.getActivities('mindActsList');
      const created = await documents.createActivity(activityInput());
      const { tag } = await documents.getActivities('mindActsList');
      const refused: [Activity[], string, ClientError['code']][] = [
        [[], old.tag, 'documents/precondition-failed'],
        [[], '"outra"', 'documents/precondition-failed'],
        [[created, created], tag, 'documents/conflict'],
        [[created, { ...elsewhere, axis: 'mind' }], tag, 'documents/conflict'],
        [[created, elsewhere], tag, 'request/invalid'],
      ];
      for (const [next, based, expected] of refused) {
        await assert.rejects(documents.replaceActivities('mindActsList', next, based), code(expected));
      }
      assert.deepEqual(await documents.getActivities('mindActsList'), { activities: [created], tag });
      assert.deepEqual((await documents.getActivities('moveActsList')).activities, [elsewhere]);
    });

    it('imports a list with ids and times of its own, and gives changed activities a new updatedAt', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const imported: Activity = {
        id: 'abc1600000000000',
        createdAt: 16e11,
        updatedAt: 16e11,
        ...activityInput(),
      };
      const { tag } = await documents.getActivities('mindActsList');
      const first = await documents.replaceActivities('mindActsList', [imported], tag);
      assert.deepEqual(first.activities, [imported]);
      const changed = { ...imported, title: 'Outro' };
      const second = await documents.replaceActivities('mindActsList', [changed], first.tag);
      assert.equal(second.activities[0]?.title, 'Outro');
      assert.ok((second.activities[0]?.updatedAt ?? 0) > imported.updatedAt);
      await assert.rejects(
        documents.updateActivity(imported, activityInput()),
        code('documents/precondition-failed'),
      );
    });

    it('carries an ETag on every list and answers 304 while nothing changed', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const path = paths.documents.activities('mindActsList');
      const tag = (await server.visitor.fetch(path)).headers.get('etag') ?? '';
      const revalidate = () => server.visitor.fetch(path, { headers: { 'if-none-match': `W/${tag}` } });
      const unchanged = await revalidate();
      assert.equal(unchanged.status, 304);
      assert.equal(unchanged.headers.get('etag'), tag);
      await client.documents.createActivity(activityInput());
      const changed = await revalidate();
      assert.equal(changed.status, 200);
      assert.notEqual(changed.headers.get('etag'), tag);
    });

    it('loses nothing when two admins create 50 activities at once: all there, once, in order', async (t) => {
      const server = await startTestServer(t, kind);
      const admins = [await server.join('admin'), await server.join('admin')];
      const created = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          admins[index % 2]?.client.documents.createActivity(activityInput({ title: `Prática ${index}` })),
        ),
      );
      const { activities } = await server.visitor.client.documents.getActivities('mindActsList');
      const byId = (a?: Activity, b?: Activity) => ((a?.id ?? '') < (b?.id ?? '') ? -1 : 1);
      assert.deepEqual(activities.toSorted(byId), created.toSorted(byId));
      const stored = await server.database.selectFrom('activities').select('position').execute();
      const positions = stored.map(({ position }) => position).sort((a, b) => a - b);
      assert.deepEqual(
        positions,
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    });

    it('refuses text that is empty, too long or unstorable, and links that could run a script', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const bad = [
        { title: ' ' },
        { title: 'a'.repeat(201) },
        { title: 'nulo \u0000' },
        { content: '\n \t' },
        { content: 'a'.repeat(50_001) },
        { content: 'meio par \ud800' },
        { url: '' },
        { url: 'javascript:alert(1)' },
        { url: 'data:text/html,<script>alert(1)</script>' },
        { url: 'https://exemplo.com.br/\u0000' },
        { image: 'javascript:alert(1)' },
        { image: '//outro.com.br/a.png' },
        { image: '/\\outro.com.br/a.png' },
        { audio: 'data:audio/mp3;base64,AAAA' },
      ];
      for (const change of bad) {
        const creation = client.documents.createActivity(activityInput(change));
        await assert.rejects(creation, code('request/invalid'), JSON.stringify(change));
      }
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, []);
      const hostile = '<script>alert(1)</script> " \' ; drop table activities; -- {{7*7}} 𝔘 ﷽ \u202e';
      const kept = await client.documents.createActivity(activityInput({ title: hostile, content: hostile }));
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, [kept]);
      assert.equal(kept.title, hostile);
    });

    it('gives the entity tag of an item with the item', async (t) => {
      const server = await startTestServer(t, kind);
      const { fetch } = await server.join('admin');
      const response = await fetch(paths.documents.activityItems('mindActsList'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(activityInput()),
      });
      assert.equal(response.status, 201);
      assert.equal(response.headers.get('etag'), activityTag((await response.json()) as Activity));
    });
  });

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
        await assert.rejects(client.documents.updateUser(uid, patch), code('request/invalid'));
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
      await assert.rejects(renaming, code('request/invalid'));
      await assert.rejects(
        admin.client.documents.updateUser('ninguem', { staff: true }),
        code('documents/not-found'),
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
        code('auth/last-admin'),
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
