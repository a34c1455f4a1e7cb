import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`moving activities and writing whole lists on ${kind}`, { concurrency: true }, () => {
    it('keeps family, career, fun and values among the values', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const axes = ['family', 'career', 'fun', 'values'] as const;
      for (const axis of axes) await client.documents.createActivity(sampleActivity({ axis }));
      const { activities } = await client.documents.getActivities('valuesActsList');
      assert.deepEqual(
        activities.map(({ axis }) => axis),
        axes,
      );
    });

    it('moves an activity to the list of its new axis', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const created = await client.documents.createActivity(sampleActivity());
      const moved = await client.documents.updateActivity(created, sampleActivity({ axis: 'family' }));
      assert.equal(moved.id, created.id);
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, []);
      assert.deepEqual((await client.documents.getActivities('valuesActsList')).activities, [moved]);
      await assert.rejects(client.documents.deleteActivity(created), refusedWith('documents/not-found'));
    });

    it('responds to an edit of a moved activity with 412 and its current list', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const base = await documents.createActivity(sampleActivity());
      const moved = await documents.updateActivity(base, sampleActivity({ axis: 'move' }));
      await assert.rejects(
        documents.updateActivity(base, sampleActivity({ title: 'Tarde' })),
        (error: unknown) => {
          assert.ok(error instanceof ClientError);
          assert.equal(error.code, 'documents/precondition-failed');
          assert.deepEqual(error.current, moved);
          return true;
        },
      );
      assert.deepEqual((await documents.getActivities('moveActsList')).activities, [moved]);
    });

    it('reorders by a whole-list write and changes nothing else', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      for (let index = 0; index < 5; index += 1) {
        await client.documents.createActivity(sampleActivity({ title: `Prática ${index}` }));
      }
      const { activities, tag } = await client.documents.getActivities('mindActsList');
      const reversed = activities.toReversed();
      const written = await client.documents.replaceActivities('mindActsList', reversed, tag);
      assert.deepEqual(written.activities, reversed);
      assert.deepEqual(await client.documents.getActivities('mindActsList'), written);
      const appended = await client.documents.createActivity(sampleActivity());
      const last = (await client.documents.getActivities('mindActsList')).activities.at(-1);
      assert.deepEqual(last, appended);
    });

    it('reorders hidden activities, too, and keeps edits that were saved meanwhile', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      for (const visibility of ['public', 'hidden', 'public'] as const)
        await documents.createActivity(sampleActivity({ visibility }));
      const readIds = async () => {
        const { activities } = await documents.getActivitiesInParts('mindActsList');
        return activities.map(({ id }) => id);
      };
      const [first] = (await documents.getActivities('mindActsList')).activities;
      const from = await readIds();
      const [a = '', b = '', c = ''] = from;
      if (!first) throw new Error('There is no activity.');
      const edited = await documents.updateActivity(first, sampleActivity({ title: 'Editada' }));
      await documents.reorderActivities('mindActsList', { from, to: [c, a, b] });
      assert.deepEqual(await readIds(), [c, a, b]);
      assert.deepEqual(await documents.findActivity(first), edited);
      const appended = await documents.createActivity(sampleActivity());
      assert.deepEqual(await readIds(), [c, a, b, appended.id]);
    });

    it('writes only the activities whose place changes', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      for (let index = 0; index < 5; index += 1) await documents.createActivity(sampleActivity());
      const readPlaces = async () => {
        const query = server.database.selectFrom('activities').select(['id', 'position']);
        return (await query.orderBy('position').execute()).map(({ id, position }) => ({ id, position }));
      };
      const before = await readPlaces();
      const from = before.map(({ id }) => id);
      const [a = '', b = '', c = '', ...rest] = from;
      await documents.reorderActivities('mindActsList', { from, to: [b, a, c, ...rest] });
      const after = await readPlaces();
      assert.deepEqual(
        after.map(({ id }) => id),
        [b, a, c, ...rest],
      );
      assert.deepEqual(after.slice(2), before.slice(2));
    });

    it('refuses a new order if the list has another order, or if the new order has other activities', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const ids: string[] = [];
      for (let index = 0; index < 3; index += 1)
        ids.push((await documents.createActivity(sampleActivity())).id);
      const [a = '', b = '', c = ''] = ids;
      const before = await documents.getActivities('mindActsList');
      const refused: [from: string[], to: string[], ClientError['code']][] = [
        [[b, a, c], [a, b, c], 'documents/precondition-failed'],
        [[a, b], [b, a], 'documents/precondition-failed'],
        [[a, b, c], [c, b], 'request/invalid'],
        [[a, b, c], [c, b, b], 'request/invalid'],
        [[a, b, c], [c, b, 'outra'], 'request/invalid'],
      ];
      for (const [from, to, expected] of refused)
        await assert.rejects(
          documents.reorderActivities('mindActsList', { from, to }),
          refusedWith(expected),
        );
      assert.deepEqual(await documents.getActivities('mindActsList'), before);
      // Of two editors who save at once, only one changes the order that both have seen.
      const results = await Promise.allSettled(
        [
          [c, a, b],
          [b, c, a],
        ].map((to) => documents.reorderActivities('mindActsList', { from: ids, to })),
      );
      assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });

    it('refuses a whole-list write with an old version, duplicates, or foreign activities', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const { documents } = client;
      const elsewhere = await documents.createActivity(sampleActivity({ axis: 'move' }));
      const old = await documents.getActivities('mindActsList');
      const created = await documents.createActivity(sampleActivity());
      const { tag } = await documents.getActivities('mindActsList');
      const refused: [Activity[], string, ClientError['code']][] = [
        [[], old.tag, 'documents/precondition-failed'],
        [[], '"outra"', 'documents/precondition-failed'],
        [[created, created], tag, 'documents/conflict'],
        [[created, { ...elsewhere, axis: 'mind' }], tag, 'documents/conflict'],
        [[created, elsewhere], tag, 'request/invalid'],
      ];
      for (const [next, based, expected] of refused) {
        await assert.rejects(documents.replaceActivities('mindActsList', next, based), refusedWith(expected));
      }
      assert.deepEqual(await documents.getActivities('mindActsList'), { activities: [created], tag });
      assert.deepEqual((await documents.getActivities('moveActsList')).activities, [elsewhere]);
    });

    it('imports a list with its ids and times, and gives changed activities a new updatedAt', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const imported: Activity = {
        id: 'abc1600000000000',
        createdAt: 16e11,
        updatedAt: 16e11,
        audioSeconds: null,
        ...sampleActivity(),
      };
      const { tag } = await documents.getActivities('mindActsList');
      const first = await documents.replaceActivities('mindActsList', [imported], tag);
      assert.deepEqual(first.activities, [imported]);
      const changed = { ...imported, title: 'Outro' };
      const second = await documents.replaceActivities('mindActsList', [changed], first.tag);
      assert.equal(second.activities[0]?.title, 'Outro');
      assert.ok((second.activities[0]?.updatedAt ?? 0) > imported.updatedAt);
      await assert.rejects(
        documents.updateActivity(imported, sampleActivity()),
        refusedWith('documents/precondition-failed'),
      );
    });
  });
}
