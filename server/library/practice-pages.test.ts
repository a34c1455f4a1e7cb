import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Activity } from '#contract/activity.ts';
import { paths } from '#contract/paths.ts';
import { isOwnUrl, practicePath } from '#contract/practices/path.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { origin, startTestServer, type TestServer } from '../testing/server.ts';

/** Starts a server with the activities `a` to `e` of the mind list. */
async function startWithFive(t: Parameters<typeof startTestServer>[0], kind: TestServer['kind']) {
  const server = await startTestServer(t, kind);
  const { documents } = (await server.join('admin')).client;
  const made: Activity[] = [];
  for (const title of 'abcde') made.push(await documents.createActivity(sampleActivity({ title })));
  const visitor = server.visitor.client.documents;
  const titlesOf = (others: { title: string }[]) => others.map(({ title }) => title).join('');
  return {
    server,
    documents,
    visitor,
    titlesOf,
    made: made as [Activity, Activity, Activity, Activity, Activity],
  };
}

for (const kind of databaseKinds)
  describe(`the page of a practice on ${kind}`, { concurrency: true }, () => {
    it('has the practice and the next three of its list, and continues at the start of the list after its end', async (t) => {
      const { visitor, titlesOf, made } = await startWithFive(t, kind);
      const first = await visitor.getPracticePage(made[0].id);
      assert.deepEqual(first.practice, made[0]);
      assert.equal(first.deleted, false);
      assert.equal(titlesOf(first.others), 'bcd');
      assert.ok(first.others.every((other) => !('content' in other)));
      const fourth = await visitor.getPracticePage(made[3].id);
      assert.equal(titlesOf(fourth.others), 'eab');
    });

    it('keeps its URL when the practice gets another title or axis', async (t) => {
      const { documents, visitor, made } = await startWithFive(t, kind);
      const moved = await documents.updateActivity(made[1], sampleActivity({ axis: 'fun', title: 'Outro' }));
      const page = await visitor.getPracticePage(made[1].id);
      assert.deepEqual(page.practice, moved);
      assert.deepEqual(page.others, []);
    });

    it('says that a practice was deleted, for ever, and offers others of its list', async (t) => {
      const { server, documents, visitor, titlesOf, made } = await startWithFive(t, kind);
      await documents.deleteActivity(made[1]);
      const gone = { practice: null, deleted: true };
      const { others, ...page } = await visitor.getPracticePage(made[1].id);
      assert.deepEqual(page, gone);
      assert.equal(titlesOf(others), 'acd');
      // After a day, the deletion cannot be undone.
      await server.database.deleteFrom('deletedActivities').execute();
      const { others: _, ...later } = await visitor.getPracticePage(made[1].id);
      assert.deepEqual(later, gone);
    });

    it('shows a restored practice again, and never a trace of a hidden one', async (t) => {
      const { documents, visitor, made } = await startWithFive(t, kind);
      await documents.deleteActivity(made[1]);
      const restored = await documents.restoreActivity(made[1]);
      assert.deepEqual((await visitor.getPracticePage(made[1].id)).practice, restored);
      await documents.updateActivity(restored, sampleActivity({ visibility: 'hidden' }));
      const { practice, deleted } = await visitor.getPracticePage(made[1].id);
      assert.deepEqual({ practice, deleted }, { practice: null, deleted: false });
    });

    it('is empty for unknown ids', async (t) => {
      const { server, visitor } = await startWithFive(t, kind);
      const unknown = await visitor.getPracticePage('nunca-existiu');
      assert.deepEqual(unknown, { practice: null, deleted: false, others: [] });
      assert.equal((await server.visitor.fetch('/api/documents/practice-pages/a%2Fb')).status, 404);
    });

    it('is the link of a practice without a video', async (t) => {
      const { documents } = await startWithFive(t, kind);
      const created = await documents.createActivity(sampleActivity({ url: `${origin}/practices` }));
      assert.equal(created.url, `${origin}/practices/${created.id}`);
      assert.ok(isOwnUrl(created));
      const edited = await documents.updateActivity(created, sampleActivity({ url: `${origin}/practices` }));
      assert.equal(edited.url, created.url);
    });

    it('is listed for the need at night that the clinic has chosen', async (t) => {
      const { server, documents, made } = await startWithFive(t, kind);
      const read = async () => {
        const night = await server.visitor.client.documents.getNightPractices();
        return night.map(({ title, night: need }) => `${title} ${need}`);
      };
      assert.deepEqual(await read(), []);
      await documents.updateActivity(made[3], sampleActivity({ title: 'd', night: 'chest', minutes: 4 }));
      await documents.updateActivity(made[0], sampleActivity({ title: 'a', night: 'sleep' }));
      const moved = sampleActivity({ title: 'e', night: 'sleep', axis: 'move' });
      const last = await documents.updateActivity(made[4], moved);
      assert.deepEqual(await read(), ['a sleep', 'd chest', 'e sleep']);
      await documents.updateActivity(last, { ...moved, visibility: 'hidden' });
      assert.deepEqual(await read(), ['a sleep', 'd chest']);
      const response = await server.visitor.fetch(paths.documents.nightPractices);
      const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
      assert.equal((await server.visitor.fetch(paths.documents.nightPractices, { headers })).status, 304);
    });
  });

describe('the path of a practice', () => {
  it('ends with the words of its title, in ASCII letters', () => {
    const pathOf = (title: string) => practicePath({ id: 'x1', title });
    assert.equal(pathOf('Um minuto com a respiração'), '/practices/x1/um-minuto-com-a-respiracao');
    assert.equal(pathOf('  “Já” é / hoje?  '), '/practices/x1/ja-e-hoje');
    assert.equal(pathOf('🌿'), '/practices/x1');
    assert.equal(
      pathOf('Uma caminhada muito longa pelas ruas do bairro sem telefone e sem destino'),
      '/practices/x1/uma-caminhada-muito-longa-pelas-ruas-do-bairro-sem-telefone',
    );
    assert.equal(pathOf('a'.repeat(80)), '/practices/x1');
  });
});
