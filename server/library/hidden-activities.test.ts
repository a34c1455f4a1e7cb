import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Activity } from '#contract/activity.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const list = 'mindActsList';

/** Starts a server with the activities `a`, `b`, `c` and `d`; `b` and `d` are hidden. */
async function startWithHidden(t: Parameters<typeof startTestServer>[0], kind: TestServer['kind']) {
  const server = await startTestServer(t, kind);
  const admin = await server.join('admin');
  const { documents } = admin.client;
  const made: Activity[] = [];
  for (const [title, visibility] of [
    ['a', 'public'],
    ['b', 'hidden'],
    ['c', 'public'],
    ['d', 'hidden'],
  ] as const)
    made.push(
      await documents.createActivity(sampleActivity({ title, visibility, content: `Só de ${title}.` })),
    );
  const titles = async () =>
    (await documents.getActivitiesInParts(list)).activities.map(({ title }) => title).join('');
  return { server, admin, documents, made: made as [Activity, Activity, Activity, Activity], titles };
}

for (const kind of databaseKinds)
  describe(`hidden activities on ${kind}`, { concurrency: true }, () => {
    it('are for admins only', async (t) => {
      const { server, admin, made, titles } = await startWithHidden(t, kind);
      const [, hidden] = made;
      const item = paths.documents.activityItem(list, hidden.id);
      for (const reader of [server.visitor, await server.join('no'), await server.join('member')]) {
        assert.equal((await reader.fetch(item)).status, 404);
        for (const path of [
          paths.documents.activities(list),
          paths.documents.practicePage(hidden.id),
          paths.documents.practicePage(made[0].id),
          paths.documents.nightPractices,
        ]) {
          const body = await (await reader.fetch(path)).text();
          assert.doesNotMatch(body, /Só de [bd]|"title":"[bd]"|"hidden"/, path);
        }
      }
      const response = await admin.fetch(item);
      assert.deepEqual(await response.json(), hidden);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(await titles(), 'abcd');
      const summaries = await admin.client.documents.getActivitySummaries(list);
      assert.deepEqual(
        summaries.activities.map(({ visibility }) => visibility),
        ['public', 'hidden', 'public', 'hidden'],
      );
    });

    it('become public with a save, and the list that visitors know is then out of date', async (t) => {
      const { server, documents, made } = await startWithHidden(t, kind);
      const [, hidden] = made;
      const path = paths.documents.activities(list);
      const tag = (await server.visitor.fetch(path)).headers.get('etag') ?? '';
      await documents.updateActivity(hidden, sampleActivity({ title: 'b', visibility: 'public' }));
      const again = await server.visitor.fetch(path, { headers: { 'if-none-match': tag } });
      assert.equal(again.status, 200);
      assert.match(await again.text(), /"title":"b"/);
      const { practice } = await server.visitor.client.documents.getPracticePage(hidden.id);
      assert.equal(practice?.title, 'b');
    });

    it('stay where they are when a writer of the whole list has not seen them', async (t) => {
      const { documents, titles } = await startWithHidden(t, kind);
      const { activities: seen, tag } = await documents.getActivities(list);
      assert.deepEqual(
        seen.map(({ title }) => title),
        ['a', 'c'],
      );
      const written = await documents.replaceActivities(list, seen.toReversed(), tag);
      assert.equal(written.activities.map(({ title }) => title).join(''), 'cdab');
      assert.equal(await titles(), 'cdab');
      const emptied = await documents.replaceActivities(list, [], written.tag);
      assert.equal(emptied.activities.map(({ title }) => title).join(''), 'db');
      assert.deepEqual((await documents.getActivities(list)).activities, []);
    });

    it('are ordered and changed by a writer who names them', async (t) => {
      const { documents, titles } = await startWithHidden(t, kind);
      const { activities, tag } = await documents.getActivitiesInParts(list);
      const next = activities
        .toReversed()
        .map((activity) =>
          activity.title === 'd' ? { ...activity, visibility: 'public' as const } : activity,
        );
      await documents.replaceActivities(list, next, tag);
      assert.equal(await titles(), 'dcba');
      const { activities: seen } = await documents.getActivities(list);
      assert.equal(seen.map(({ title }) => title).join(''), 'dca');
    });
  });
