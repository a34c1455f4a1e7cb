import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { activityInput } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { cleanUp } from '../database/clean-up.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const list = 'mindActsList';
const dayMs = 24 * 60 * 60_000;

/** Starts a server with the admins Helena and Bruno. Helena has created the activities `a`, `b` and `c`. */
async function startWithAdmins(t: Parameters<typeof startTestServer>[0], kind: TestServer['kind']) {
  const server = await startTestServer(t, kind);
  const helena = await server.join('admin', 'Helena Souza');
  const bruno = await server.join('admin', 'Bruno Lima');
  const { documents } = helena.client;
  const [a, b, c] = [
    await documents.createActivity(sampleActivity({ title: 'a' })),
    await documents.createActivity(sampleActivity({ title: 'b' })),
    await documents.createActivity(sampleActivity({ title: 'c' })),
  ];
  const listed = async () =>
    (await documents.getDeletedActivities(list))
      .map(({ title, deletedBy }) => `${title} ${deletedBy}`)
      .sort();
  return { server, helena, bruno, documents, a, b, c, listed };
}

for (const kind of databaseKinds)
  describe(`the list of deleted activities on ${kind}`, { concurrency: true }, () => {
    it('says what was deleted, when, by whom, and how long it can be restored', async (t) => {
      const { documents, bruno, a, b, listed } = await startWithAdmins(t, kind);
      assert.deepEqual(await listed(), []);
      const before = Date.now();
      await documents.deleteActivity(a);
      await bruno.client.documents.deleteActivity(b);
      const deleted = await documents.getDeletedActivities(list);
      const first = deleted.find(({ id }) => id === a.id);
      const { deletedAt = 0 } = first ?? {};
      assert.ok(before <= deletedAt && deletedAt <= Date.now());
      const restorableUntil = deletedAt + dayMs;
      const { id, axis, title } = a;
      assert.deepEqual(first, { id, axis, title, deletedAt, restorableUntil, deletedBy: 'Helena Souza' });
      assert.deepEqual(await listed(), ['a Helena Souza', 'b Bruno Lima']);
      assert.deepEqual(await documents.getDeletedActivities('moveActsList'), []);
    });

    it('names the admin whose write of the whole list left an activity out', async (t) => {
      const { bruno, listed } = await startWithAdmins(t, kind);
      const { activities, tag } = await bruno.client.documents.getActivities(list);
      await bruno.client.documents.replaceActivities(list, activities.slice(1), tag);
      assert.deepEqual(await listed(), ['a Bruno Lima']);
    });

    it('is for admins only, and no other document names who deleted', async (t) => {
      const { server, bruno, a } = await startWithAdmins(t, kind);
      await bruno.client.documents.deleteActivity(a);
      const path = paths.documents.deletedActivities(list);
      for (const [reader, status] of [
        [server.visitor, 401],
        [await server.join('no'), 403],
        [await server.join('member'), 403],
      ] as const) {
        const refused = await reader.fetch(path);
        assert.equal(refused.status, status);
        assert.doesNotMatch(await refused.text(), /Bruno/);
        for (const open of [
          paths.documents.activities(list),
          paths.documents.practicePage(a.id),
          paths.documents.activityItem(list, a.id),
          paths.documents.nightPractices,
        ]) {
          const body = await (await reader.fetch(open)).text();
          assert.doesNotMatch(body, new RegExp(`Bruno|deletedBy|${bruno.uid}`), open);
        }
      }
      const response = await bruno.fetch(path);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.doesNotMatch(await response.text(), new RegExp(bruno.uid));
    });

    it('drops activities that any admin has restored, that were imported again, or that have expired', async (t) => {
      const { server, documents, bruno, a, b, c, listed } = await startWithAdmins(t, kind);
      for (const one of [a, b, c]) await documents.deleteActivity(one);
      assert.deepEqual(await bruno.client.documents.restoreActivity(c), c);
      assert.deepEqual(await listed(), ['a Helena Souza', 'b Helena Souza']);
      const { activities, tag } = await documents.getActivities(list);
      await documents.replaceActivities(list, [...activities, b], tag);
      assert.deepEqual(await listed(), ['a Helena Souza']);
      await server.database
        .updateTable('deletedActivities')
        .set({ deletedAt: Date.now() - dayMs })
        .execute();
      assert.deepEqual(await listed(), []);
      await cleanUp(server.database, kind);
      const refused = await bruno.fetch(paths.documents.activityRestore(list, a.id), { method: 'POST' });
      assert.equal(refused.status, 404);
    });

    it('keeps a deletion when the account that deleted is deleted, without the name', async (t) => {
      const { documents, helena, bruno, a, listed } = await startWithAdmins(t, kind);
      await bruno.client.documents.deleteActivity(a);
      const read = async (admin: typeof helena) =>
        (await admin.client.documents.exportAccount()).deletedActivities.map(({ title }) => title);
      assert.deepEqual([await read(helena), await read(bruno)], [[], ['a']]);
      await bruno.client.auth.deleteAccount({ password: bruno.password });
      assert.deepEqual(await listed(), ['a null']);
      assert.deepEqual(await documents.restoreActivity(a), a);
    });

    it('has a limited length, the last deleted first', async (t) => {
      const { server, documents } = await startWithAdmins(t, kind);
      const { tag } = await documents.getActivities('nutriActsList');
      const many = Array.from({ length: limits.listedDeletions + 1 }, (_, index) => ({
        ...activityInput.parse(sampleActivity({ axis: 'nutri', title: `n${index}` })),
        ...{ id: `n${index}`, createdAt: 1, updatedAt: 1, audioSeconds: null },
      }));
      const written = await documents.replaceActivities('nutriActsList', many, tag);
      const last = many[7];
      assert.ok(last);
      const rest = many.filter((one) => one !== last);
      const emptied = await documents.replaceActivities('nutriActsList', [last], written.tag);
      assert.equal(rest.length, limits.listedDeletions);
      // Two deletions can have equal times, so the earlier ones are moved back by a second.
      await server.database
        .updateTable('deletedActivities')
        .set({ deletedAt: Date.now() - 1_000 })
        .execute();
      await documents.replaceActivities('nutriActsList', [], emptied.tag);
      const deleted = await documents.getDeletedActivities('nutriActsList');
      assert.equal(deleted.length, limits.listedDeletions);
      assert.equal(deleted[0]?.title, last.title);
    });
  });
