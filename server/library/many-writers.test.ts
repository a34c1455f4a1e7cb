import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

for (const kind of databaseKinds) {
  describe(`many writers on ${kind}`, { concurrency: true }, () => {
    it('lets one of two concurrent edits of the same version succeed', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const base = await client.documents.createActivity(sampleActivity());
      const edits = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          client.documents.updateActivity(base, sampleActivity({ title: `Edição ${index}` })),
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

    it('loses nothing when two admins create 50 activities concurrently: each once, in order', async (t) => {
      const server = await startTestServer(t, kind);
      const admins = [await server.join('admin'), await server.join('admin')];
      const created = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          admins[index % 2]?.client.documents.createActivity(sampleActivity({ title: `Prática ${index}` })),
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

    it('loses nothing when 50 writers change, move and restore activities concurrently', async (t) => {
      const server = await startTestServer(t, kind);
      const admins = [await server.join('admin'), await server.join('admin')].map(
        (one) => one.client.documents,
      );
      const writer = (index: number) => admins[index % 2] as (typeof admins)[number];
      const base = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          writer(index).createActivity(sampleActivity({ title: `Prática ${index}` })),
        ),
      );

      async function reorder(index: number) {
        for (;;) {
          const { activities, tag } = await writer(index).getActivities('mindActsList');
          try {
            return await writer(index).replaceActivities('mindActsList', activities.toReversed(), tag);
          } catch (error) {
            if (!(error instanceof ClientError && error.status === 412)) throw error;
          }
        }
      }
      const edit = (index: number, change: object) => {
        const one = base[index] as Activity;
        return writer(index).updateActivity(one, sampleActivity({ title: `Mudada ${index}`, ...change }));
      };
      const deleteAndRestore = async (index: number) => {
        await writer(index).deleteActivity(base[index] as Activity);
        await writer(index).restoreActivity(base[index] as Activity);
      };
      await Promise.all([
        ...range(0, 15).map((index) => edit(index, {})),
        ...range(15, 25).map((index) => edit(index, { axis: 'move' })),
        ...range(25, 40).map(deleteAndRestore),
        ...range(0, 8).map((index) =>
          writer(index).createActivity(sampleActivity({ title: `Nova ${index}` })),
        ),
        ...range(0, 2).map(reorder),
      ]);

      const mind = (await writer(0).getActivities('mindActsList')).activities.map(({ title }) => title);
      const move = (await writer(0).getActivities('moveActsList')).activities.map(({ title }) => title);
      assert.deepEqual(
        mind.toSorted(),
        [
          ...range(0, 15).map((index) => `Mudada ${index}`),
          ...range(25, 40).map((index) => `Prática ${index}`),
          ...range(0, 8).map((index) => `Nova ${index}`),
        ].toSorted(),
      );
      assert.deepEqual(
        move.toSorted(),
        range(15, 25)
          .map((index) => `Mudada ${index}`)
          .toSorted(),
      );
    });
  });
}
