import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '#client/client.ts';
import type { Activity } from '#contract/activity.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestServer, type TestUser, visitorAt } from '../testing/server.ts';
import { summariesPerPart } from './lists.ts';

const list = 'mindActsList';
const summaries = paths.documents.activitySummaries(list);
const items = paths.documents.activityItems(list);
/** Enough for three parts of summaries and nine of items. */
const many = 2 * summariesPerPart + 5;

const activity = (index: number): Activity => ({
  id: `a${index}`,
  createdAt: 1_700_000_000_000 + index,
  updatedAt: 1_700_000_000_000 + index,
  ...sampleActivity({
    title: `Prática ${index} "á"\u2028😀`,
    content: `Linha 1\n\tLinha 2 \\ "${index}" <b>`,
  }),
  audioSeconds: null,
});

/** Starts a server with a long list and an admin. */
async function startWithList(t: Parameters<typeof startTestServer>[0], kind: TestServer['kind']) {
  const server = await startTestServer(t, kind);
  const admin = await server.join('admin', adminName);
  const { documents } = admin.client;
  const { tag } = await documents.getActivities(list);
  const activities = Array.from({ length: many }, (_, index) => activity(index));
  await documents.replaceActivities(list, activities, tag);
  return { server, admin, documents, activities };
}

/** Returns a client for the user. The client calls `before` ahead of each request. */
function watched(user: TestUser, before: (url: string) => Promise<unknown>) {
  return createClient({
    fetch: async (url, init) => {
      await before(String(url));
      return user.fetch(String(url), init);
    },
  }).documents;
}

const adminName = 'Helena Souza';

/** A summary of an activity that the admin of these tests has saved. */
const summaryOf = ({ content: _, ...rest }: Activity) => ({ ...rest, editor: adminName });
const asked = (urls: string[]) => urls.map((url) => url.split('/').at(-1));

for (const kind of databaseKinds) {
  describe(`parts of a list on ${kind}`, { concurrency: true }, () => {
    it('together are the list, each activity once, in order, with any text', async (t) => {
      const { admin, documents, activities } = await startWithList(t, kind);
      const whole = await documents.getActivities(list);
      assert.deepEqual(whole.activities, activities);
      const urls: string[] = [];
      const reader = watched(admin, async (url) => urls.push(url));
      assert.deepEqual(await reader.getActivitySummaries(list, { names: true }), {
        activities: activities.map(summaryOf),
        tag: whole.tag,
      });
      assert.deepEqual(await reader.getActivitiesInParts(list), whole);
      assert.deepEqual(
        asked(urls),
        ['summaries', 'items'].flatMap((what) =>
          Array.from(
            { length: what === 'items' ? 9 : 3 },
            (_, part) => `${what}?${what === 'items' ? '' : 'names=1&'}part=${part}`,
          ),
        ),
      );
    });

    it('are one for a short list, and one for an empty list', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, fetch } = await server.join('admin', adminName);
      const read = async () => (await fetch(`${summaries}?names=1`)).json();
      assert.deepEqual(await read(), { [list]: [], parts: 1 });
      const created = await client.documents.createActivity(sampleActivity());
      assert.deepEqual(await read(), { [list]: [summaryOf(created)], parts: 1 });
      await client.documents.deleteActivity(created);
      assert.deepEqual(await read(), { [list]: [], parts: 1 });
    });

    it('are read again from the first one when the list changed in between', async (t) => {
      const { admin, documents, activities } = await startWithList(t, kind);
      let changes = 0;
      const reader = watched(admin, async (url) => {
        if (!url.endsWith('part=1') || changes > 0) return;
        changes += 1;
        // With this deletion, the first activity of the next part moves into the part that was already read,
        // so the reader would miss it.
        await documents.deleteActivity(activity(7));
      });
      const read = await reader.getActivitySummaries(list, { names: true });
      assert.deepEqual(read.activities, activities.filter(({ id }) => id !== 'a7').map(summaryOf));
      assert.equal(read.tag, (await documents.getActivities(list)).tag);
    });

    it('are replaced by the whole list when it changes repeatedly', async (t) => {
      const { admin, documents, activities } = await startWithList(t, kind);
      const left = [...activities];
      const urls: string[] = [];
      const reader = watched(admin, async (url) => {
        urls.push(url);
        const gone = url.endsWith('part=1') && left.shift();
        if (gone) await documents.deleteActivity(gone);
      });
      const read = await reader.getActivitiesInParts(list);
      assert.deepEqual(read, await documents.getActivities(list));
      assert.deepEqual(read.activities, left);
      assert.ok(left.length < many);
      assert.equal(urls.at(-1), paths.documents.activities(list));
    });

    it('show changes of this or another instance immediately', async (t) => {
      const { server, admin, documents } = await startWithList(t, kind);
      const twin = visitorAt((await server.twin()).url);
      await twin.client.auth.signIn({ email: admin.email, password: admin.password });
      const index = summariesPerPart + 3;
      const titlesAt = async (place: number) => {
        const of = async ({ client }: TestUser) =>
          (await client.documents.getActivitySummaries(list, { names: true })).activities;
        return [(await of(admin))[place]?.title, (await of(twin))[place]?.title];
      };
      const before = activity(index).title;
      assert.deepEqual(await titlesAt(index), [before, before]);
      await documents.updateActivity(activity(index), sampleActivity({ title: 'Outro nome' }));
      assert.deepEqual(await titlesAt(index), ['Outro nome', 'Outro nome']);
      await twin.client.documents.deleteActivity(activity(0));
      assert.deepEqual(await titlesAt(index - 1), ['Outro nome', 'Outro nome']);
    });

    it('have the tag of the list and respond with 304 while nothing changed', async (t) => {
      const { admin, documents } = await startWithList(t, kind);
      const { tag } = await documents.getActivities(list);
      for (const url of [`${summaries}?part=2`, `${items}?part=8`]) {
        const known = () => admin.fetch(url, { headers: { 'if-none-match': tag } });
        assert.equal((await admin.fetch(url)).headers.get('etag'), tag);
        assert.equal((await known()).status, 304);
      }
      await documents.deleteActivity(activity(1));
      assert.equal((await admin.fetch(`${items}?part=0`, { headers: { 'if-none-match': tag } })).status, 200);
    });

    it('end where the list ends, and have integer numbers', async (t) => {
      const { admin } = await startWithList(t, kind);
      const beyond = await admin.fetch(`${summaries}?part=9`);
      assert.deepEqual(await beyond.json(), { [list]: [], parts: 3 });
      for (const part of ['-1', '1.5', 'x', '10000', '1&other=2'])
        assert.equal((await admin.fetch(`${summaries}?part=${part}`)).status, 400, part);
    });
  });
}
