import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Activity } from '#contract/activity.ts';
import { cleanUp } from '../database/clean-up.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';

const dayMs = 24 * 60 * 60_000;

/** Starts a server with an admin. The mind list contains one activity for each letter of `letters`. */
async function startWithList(t: TestContext, kind: DatabaseKind, letters: string) {
  const server = await startTestServer(t, kind);
  const { documents } = (await server.join('admin')).client;
  const made = new Map<string, Activity>();
  for (const title of letters) made.set(title, await documents.createActivity(sampleActivity({ title })));
  const get = (letter: string) => {
    const found = made.get(letter);
    if (!found) throw new Error(`No ${letter} was made.`);
    return found;
  };
  return {
    server,
    documents,
    get,
    remove: async (removed: string) => {
      for (const letter of removed) await documents.deleteActivity(get(letter));
    },
    restore: async (restored: string) => {
      for (const letter of restored) await documents.restoreActivity(get(letter));
    },
    reorder: async (order: string) => {
      const { tag } = await documents.getActivities('mindActsList');
      await documents.replaceActivities('mindActsList', [...order].map(get), tag);
    },
    order: async () => {
      const { activities } = await documents.getActivities('mindActsList');
      return activities.map(({ title }) => title).join('');
    },
  };
}

for (const kind of databaseKinds) {
  describe(`deleted activities on ${kind}`, { concurrency: true }, () => {
    it('restores a deleted activity unchanged: position, id, times, content', async (t) => {
      const { documents, remove, get, order } = await startWithList(t, kind, 'abc');
      await remove('b');
      assert.equal(await order(), 'ac');
      assert.deepEqual(await documents.restoreActivity(get('b')), get('b'));
      const { activities } = await documents.getActivities('mindActsList');
      assert.deepEqual(activities, ['a', 'b', 'c'].map(get));
    });

    it('finds the old position for any set of deleted neighbours and any order of restores', async (t) => {
      const { remove, restore, order } = await startWithList(t, kind, 'abcd');
      for (const [removed, restored] of [
        ['bc', 'cb'],
        ['bc', 'bc'],
        ['ba', 'ba'],
        ['abcd', 'dbca'],
      ] as const) {
        await remove(removed);
        await restore(restored);
        assert.equal(await order(), 'abcd', `deleted ${removed}, restored ${restored}`);
      }
    });

    it('keeps concurrent changes: new activities stay last, another order stays', async (t) => {
      const { documents, remove, restore, order } = await startWithList(t, kind, 'abcd');
      await remove('b');
      await documents.createActivity(sampleActivity({ title: 'e' }));
      await restore('b');
      assert.equal(await order(), 'abcde');
      const { activities, tag } = await documents.getActivities('mindActsList');
      await remove('b');
      const reversed = activities.filter(({ title }) => title !== 'b').toReversed();
      await assert.rejects(
        documents.replaceActivities('mindActsList', reversed, tag),
        refusedWith('documents/precondition-failed'),
      );
      const fresh = await documents.getActivities('mindActsList');
      await documents.replaceActivities('mindActsList', reversed, fresh.tag);
      await restore('b');
      assert.equal(await order(), 'edcab');
      await documents.createActivity(sampleActivity({ title: 'f' }));
      assert.equal(await order(), 'edcabf');
    });

    it('restores behind its former predecessor, also a deleted one, after a whole-list write', async (t) => {
      const { remove, restore, reorder, order } = await startWithList(t, kind, 'abcdef');
      await remove('fcba');
      await reorder('ed');
      await restore('f');
      assert.equal(await order(), 'efd');
      await restore('c');
      assert.equal(await order(), 'cefd');
      await restore('b');
      assert.equal(await order(), 'bcefd');
      await restore('a');
      assert.equal(await order(), 'abcefd');
    });

    it('also soft-deletes what a whole-list write leaves out', async (t) => {
      const { get, documents, restore, reorder, order } = await startWithList(t, kind, 'abcd');
      await reorder('dab');
      assert.deepEqual(await documents.restoreActivity(get('c')), get('c'));
      assert.equal(await order(), 'dabc');
      await reorder('');
      await restore('bcad');
      assert.equal(await order(), 'dabc');
    });

    it('restores only once, and only a deleted activity', async (t) => {
      const { documents, remove, restore, get, order } = await startWithList(t, kind, 'ab');
      await assert.rejects(documents.restoreActivity(get('a')), refusedWith('documents/not-found'));
      await remove('a');
      await restore('a');
      await assert.rejects(documents.restoreActivity(get('a')), refusedWith('documents/not-found'));
      assert.equal(await order(), 'ab');
    });

    it('refuses to restore what was imported again meanwhile', async (t) => {
      const { documents, remove, get, reorder, order } = await startWithList(t, kind, 'ab');
      await remove('a');
      await reorder('ab');
      await assert.rejects(documents.restoreActivity(get('a')), refusedWith('documents/conflict'));
      await remove('a');
      await documents.restoreActivity(get('a'));
      assert.equal(await order(), 'ab');
    });

    it('deletes for good after a day', async (t) => {
      const { server, documents, remove, get } = await startWithList(t, kind, 'ab');
      await remove('ab');
      await cleanUp(server.database, kind, Date.now() + dayMs - 60_000);
      await documents.restoreActivity(get('a'));
      await cleanUp(server.database, kind, Date.now() + dayMs + 60_000);
      await assert.rejects(documents.restoreActivity(get('b')), refusedWith('documents/not-found'));
    });

    it('keeps all 25 when two admins delete and restore concurrently', async (t) => {
      const { server, documents, order } = await startWithList(t, kind, 'abcdefghijklmnopqrstuvwxy');
      const other = (await server.join('admin')).client.documents;
      const { activities } = await documents.getActivities('mindActsList');
      await Promise.all(
        activities.map(async (one, index) => {
          const by = index % 2 ? documents : other;
          await by.deleteActivity(one);
          await by.restoreActivity(one);
        }),
      );
      assert.equal([...(await order())].sort().join(''), 'abcdefghijklmnopqrstuvwxy');
    });
  });
}
