import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { practicePath } from '#contract/practices/path.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { databaseKinds } from '../testing/databases.ts';
import { signUpAdmins } from '../testing/recorded-writes.ts';
import { refusedWith } from '../testing/refused.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';

for (const kind of databaseKinds) {
  describe(`favourites on ${kind}`, { concurrency: true }, () => {
    it('are listed newest first, for the user who keeps them and no one else', async (t) => {
      const { ana, bia, admin, practices } = await serverWithPractices(t, kind, 'Respirar', 'Caminhar');
      const [breathe, walk] = practices;
      // The first favourite gets an early time, because two from the same millisecond would have no fixed
      // order.
      await ana.client.documents.keepFavourite(breathe.id, 1_000);
      await ana.client.documents.keepFavourite(walk.id);
      const before = await ana.client.documents.getFavourites();
      assert.deepEqual(titlesOf(before), ['Caminhar', 'Respirar']);
      assert.deepEqual(before.missing, []);
      const { content: _, ...summary } = walk;
      assert.deepEqual(before.documents[0], { ...summary, keptAt: before.documents[0]?.keptAt });
      for (const other of [bia, admin])
        assert.deepEqual(await other.client.documents.getFavourites(), { documents: [], missing: [] });
      // Another user's removal does not change Ana's favourites.
      await bia.client.documents.removeFavourite(walk.id);
      assert.deepEqual(await ana.client.documents.getFavourites(), before);
      const response = await ana.fetch(paths.documents.favourites);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });

    it('are kept and removed once, however often the request comes', async (t) => {
      const { ana, practices } = await serverWithPractices(t, kind, 'Respirar', 'Caminhar');
      const [breathe, walk] = practices;
      await ana.client.documents.keepFavourite(breathe.id, 1_000);
      await ana.client.documents.keepFavourite(walk.id, 2_000);
      await ana.client.documents.keepFavourite(breathe.id);
      const { documents } = await ana.client.documents.getFavourites();
      assert.deepEqual(
        documents.map(({ title, keptAt }) => [title, keptAt]),
        [
          ['Caminhar', 2_000],
          ['Respirar', 1_000],
        ],
      );
      for (let time = 0; time < 2; time += 1) await ana.client.documents.removeFavourite(walk.id);
      assert.deepEqual(titlesOf(await ana.client.documents.getFavourites()), ['Respirar']);
    });

    it('return to their old place when a removal is undone; a time in the future counts as now', async (t) => {
      const { ana, practices } = await serverWithPractices(t, kind, 'Respirar', 'Caminhar');
      const [breathe, walk] = practices;
      await ana.client.documents.keepFavourite(breathe.id);
      const [kept] = (await ana.client.documents.getFavourites()).documents;
      assert.ok(kept);
      await ana.client.documents.keepFavourite(walk.id, kept.keptAt + 365 * 24 * 3_600_000);
      await ana.client.documents.removeFavourite(breathe.id);
      await ana.client.documents.keepFavourite(breathe.id, kept.keptAt - 1);
      const { documents } = await ana.client.documents.getFavourites();
      assert.deepEqual(titlesOf({ documents }), ['Caminhar', 'Respirar']);
      assert.ok((documents[0]?.keptAt ?? Infinity) <= Date.now());
      assert.equal(documents[1]?.keptAt, kept.keptAt - 1);
    });

    it('say nothing about hidden and deleted practices, and show them again once they are public', async (t) => {
      const { ana, admin, practices } = await serverWithPractices(t, kind, 'Respirar', 'Caminhar', 'Ouvir');
      const [breathe, walk, listen] = practices;
      for (const { id } of practices) await ana.client.documents.keepFavourite(id);
      const { documents } = admin.client;
      const { id: _, createdAt: _1, updatedAt: _2, audioSeconds: _3, ...input } = breathe;
      const hidden = await documents.updateActivity(breathe, { ...input, visibility: 'hidden' });
      await documents.deleteActivity(walk);
      const during = await ana.client.documents.getFavourites();
      assert.deepEqual(titlesOf(during), ['Ouvir']);
      assert.deepEqual(during.missing.toSorted(), [breathe.id, walk.id].toSorted());
      assert.doesNotMatch(JSON.stringify(during), /Respirar|Caminhar|hidden/);

      // The new axis moves the activity to another list.
      await documents.updateActivity(hidden, { ...input, axis: 'nutri' });
      await documents.restoreActivity(walk);
      const after = await ana.client.documents.getFavourites();
      assert.deepEqual(titlesOf(after).toSorted(), ['Caminhar', 'Ouvir', 'Respirar']);
      assert.deepEqual(after.missing, []);
      await documents.deleteActivity(listen);
      await ana.client.documents.removeFavourite(listen.id);
      assert.deepEqual((await ana.client.documents.getFavourites()).missing, []);
    });

    it('can only be public practices: hidden, deleted and unknown ones get the same refusal', async (t) => {
      const { ana, admin, practices } = await serverWithPractices(t, kind, 'Respirar');
      const [deleted] = practices;
      await admin.client.documents.deleteActivity(deleted);
      const hidden = await admin.client.documents.createActivity(sampleActivity({ visibility: 'hidden' }));
      for (const id of [deleted.id, hidden.id, 'nenhuma'])
        await assert.rejects(ana.client.documents.keepFavourite(id), refusedWith('documents/not-found'));
      assert.deepEqual(await ana.client.documents.getFavourites(), { documents: [], missing: [] });
    });

    it('have a limit for each user, also for concurrent requests', async (t) => {
      const { server, ana, bia, practices } = await serverWithPractices(t, kind, 'A', 'B', 'C', 'D');
      const most = limits.favouritesMaxItems;
      const rows = Array.from({ length: most - 1 }, (_, place) => ({
        ...{ uid: ana.uid, activityId: `antiga-${place}`, createdAt: 1 },
      }));
      await server.database.insertInto('favourites').values(rows).execute();
      const results = await Promise.allSettled(
        practices.map(({ id }) => ana.client.documents.keepFavourite(id)),
      );
      const refused = results.filter((result) => result.status === 'rejected');
      assert.equal(refused.length, practices.length - 1);
      const isLimit = refusedWith('documents/too-many-favourites');
      for (const { reason } of refused) assert.ok(isLimit(reason));
      const { documents, missing } = await ana.client.documents.getFavourites();
      assert.equal(documents.length + missing.length, most);
      const [kept] = documents;
      assert.ok(kept);
      await ana.client.documents.keepFavourite(kept.id);
      await bia.client.documents.keepFavourite(kept.id);
    });

    it('are in the account export of their user, and deleted with the account', async (t) => {
      const { server, ana, bia, admin, practices } = await serverWithPractices(t, kind, 'Respirar', 'Ouvir');
      const [breathe, listen] = practices;
      await ana.client.documents.keepFavourite(breathe.id, 1_000);
      await ana.client.documents.keepFavourite(listen.id, 2_000);
      await bia.client.documents.keepFavourite(breathe.id, 3_000);
      await admin.client.documents.deleteActivity(listen);
      const { favourites } = await ana.client.documents.exportAccount();
      assert.deepEqual(favourites, [
        { title: 'Respirar', path: practicePath(breathe), keptAt: 1_000 },
        { title: null, path: `/practices/${listen.id}`, keptAt: 2_000 },
      ]);
      await ana.client.auth.deleteAccount({ password: ana.password });
      const left = await server.database.selectFrom('favourites').selectAll().execute();
      assert.deepEqual(
        left.map((row) => ({ ...row })),
        [{ uid: bia.uid, activityId: breathe.id, createdAt: 3_000 }],
      );
    });
  });
}

it('the log and the usage records do not say which practice a user keeps', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-favourites-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, { LOG_LEVEL: 'debug' });
  t.after(() => server.kill());
  const [admin] = await signUpAdmins(server.url, server.firstAdminPath(), 1);
  assert.ok(admin);
  const { documents } = admin.client;
  const { id } = await documents.createActivity(sampleActivity());
  await documents.keepFavourite(id);
  await documents.getFavourites();
  await documents.removeFavourite(id);
  await assert.rejects(documents.keepFavourite(`${id}x`), refusedWith('documents/not-found'));
  await server.stop();
  const folder = path.join(dataDir, 'usage-records');
  const [file = ''] = await readdir(folder);
  const records = await readFile(path.join(folder, file), 'utf8');
  for (const text of [server.log(), records]) {
    assert.ok(text.includes(`${paths.documents.favourites}/:id`));
    assert.ok(!text.includes(id));
  }
});

const titlesOf = ({ documents }: { documents: { title: string }[] }) => documents.map(({ title }) => title);

/** A server with a public practice for each title, two users and an admin. */
async function serverWithPractices<Titles extends string[]>(
  t: TestContext,
  kind: DatabaseKind,
  ...titles: Titles
) {
  const server = await startTestServer(t, kind);
  const admin = await server.join('admin');
  const create = (title: string) => admin.client.documents.createActivity(sampleActivity({ title }));
  const practices = [];
  for (const title of titles) practices.push(await create(title));
  return {
    ...{ server, admin, ana: await server.join(), bia: await server.join() },
    practices: practices as { [place in keyof Titles]: Awaited<ReturnType<typeof create>> },
  };
}
