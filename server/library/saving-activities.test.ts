import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`saving activities on ${kind}`, { concurrency: true }, () => {
    it('appends a new activity to the list of its axis, with id and times from the server', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const before = Date.now();
      const first = await client.documents.createActivity(sampleActivity());
      const second = await client.documents.createActivity(sampleActivity({ title: 'Folhas no riacho' }));
      assert.match(first.id, new RegExp(`^[\\w-]{12}${first.createdAt}$`));
      assert.ok(first.createdAt >= before && first.updatedAt === first.createdAt);
      const { activities } = await server.visitor.client.documents.getActivities('mindActsList');
      assert.deepEqual(activities, [first, second]);
    });

    it('replaces an edited activity at its position and sets updatedAt', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const first = await client.documents.createActivity(sampleActivity());
      const second = await client.documents.createActivity(sampleActivity());
      const edited = await client.documents.updateActivity(first, sampleActivity({ title: 'Outro nome' }));
      assert.deepEqual(edited, { ...first, title: 'Outro nome', updatedAt: edited.updatedAt });
      assert.ok(edited.updatedAt > first.updatedAt);
      const { activities } = await client.documents.getActivities('mindActsList');
      assert.deepEqual(activities, [edited, second]);
    });

    it('never stores a later time than now for imported activities', async (t) => {
      const server = await startTestServer(t, kind, { services: ['auth', 'documents', 'site'] });
      const { documents } = (await server.join('editor')).client;
      const { tag } = await documents.getActivities('mindActsList');
      const latest = 8_640_000_000_000_000;
      const times = { createdAt: latest, updatedAt: latest, audioSeconds: null };
      const given = [
        { id: 'future', ...sampleActivity(), ...times },
        { id: 'past', ...sampleActivity(), ...times, createdAt: 1, updatedAt: 2 },
      ];
      await documents.replaceActivities('mindActsList', given, tag);
      const [future, past] = (await documents.getActivities('mindActsList')).activities;
      assert.ok(future && future.createdAt <= Date.now() && future.updatedAt <= Date.now());
      assert.deepEqual([past?.createdAt, past?.updatedAt], [1, 2]);
      await documents.updateActivity(future, sampleActivity({ title: 'Outro nome' }));
      assert.equal((await server.visitor.fetch('/sitemap.xml')).status, 200);
    });

    it('tells only an admin whose edit is out of date who saved last', async (t) => {
      const server = await startTestServer(t, kind);
      const [helena, bruno] = [
        await server.join('admin', 'Helena Souza'),
        await server.join('admin', 'Bruno Lima'),
      ];
      const opened = await helena.client.documents.createActivity(sampleActivity());
      const tooLate = async () => {
        const saving = helena.client.documents.updateActivity(opened, sampleActivity({ title: 'Meu' }));
        const error: unknown = await saving.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof ClientError && error.code === 'documents/precondition-failed');
        return error.changedBy;
      };

      const saved = await bruno.client.documents.updateActivity(opened, sampleActivity({ title: 'Dele' }));
      assert.deepEqual(await tooLate(), { name: 'Bruno Lima' });
      const moved = await bruno.client.documents.updateActivity(saved, sampleActivity({ axis: 'nutri' }));
      assert.deepEqual(await tooLate(), { name: 'Bruno Lima' });
      await helena.client.documents.deleteActivity(moved);
      await helena.client.documents.restoreActivity(moved);
      assert.deepEqual(await tooLate(), { name: 'Bruno Lima' });

      const patient = await server.join('no', 'Paula Reis');
      const { activities: list } = paths.documents;
      const summaries = `${list('nutriActsList')}/summaries`;
      for (const reader of [server.visitor, patient, bruno])
        for (const path of [
          list('nutriActsList'),
          `${list('nutriActsList')}/items`,
          ...(reader === bruno ? [] : [summaries]),
          paths.documents.activityItem('nutriActsList', opened.id),
          paths.documents.practicePage(opened.id),
          '/api/documents/latest-activities',
        ]) {
          const body = await (await reader.fetch(path)).text();
          assert.doesNotMatch(body, /updatedBy|changedBy|Bruno/, path);
          assert.ok(!body.includes(bruno.uid), path);
        }
      const refused = await patient.fetch(paths.documents.activityItem('nutriActsList', opened.id), {
        method: 'PUT',
        headers: { 'content-type': 'application/json', origin: server.origin, 'if-match': '"1"' },
        body: JSON.stringify(sampleActivity()),
      });
      assert.equal(refused.status, 403);
      assert.doesNotMatch(await refused.text(), /Bruno/);

      const { activities, tag } = await helena.client.documents.getActivities('nutriActsList');
      const [first] = activities;
      assert.ok(first);
      const changed = { ...first, content: 'Outro texto.' };
      await helena.client.documents.replaceActivities('nutriActsList', [changed], tag);
      assert.deepEqual(await tooLate(), { name: 'Helena Souza' });
      const exported = await (await helena.fetch(paths.documents.accountExport)).json();
      assert.deepEqual(
        (exported as { savedActivities: { id: string }[] }).savedActivities.map(({ id }) => id),
        [opened.id],
      );
      const found = await helena.client.documents.findActivity({ axis: 'nutri', id: opened.id });
      assert.ok(found);
      await bruno.client.documents.updateActivity(found, sampleActivity({ axis: 'nutri' }));
      await bruno.client.auth.deleteAccount({ password: bruno.password });
      assert.equal(await tooLate(), undefined);
    });

    it('responds to an edit of an old version with 412 and the current activity', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join('admin'), await server.join('admin')];
      const base = await ana.client.documents.createActivity(sampleActivity());
      const saved = await ana.client.documents.updateActivity(base, sampleActivity({ content: 'De Ana' }));
      const late = bia.client.documents.updateActivity(base, sampleActivity({ content: 'De Bia' }));
      await assert.rejects(late, (error: unknown) => {
        assert.ok(error instanceof ClientError);
        assert.equal(error.status, 412);
        assert.equal(error.code, 'documents/precondition-failed');
        assert.deepEqual(error.current, saved);
        return true;
      });
      assert.deepEqual((await bia.client.documents.getActivities('mindActsList')).activities, [saved]);
    });

    it('requires a precondition of an edit and a whole-list write', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, fetch } = await server.join('admin');
      const { axis, id } = await client.documents.createActivity(sampleActivity());
      assert.equal(axis, 'mind');
      const writes: [string, unknown][] = [
        [paths.documents.activityItem('mindActsList', id), sampleActivity()],
        [paths.documents.activities('mindActsList'), { mindActsList: [] }],
      ];
      for (const [path, body] of writes) {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(path, { method: 'PUT', headers, body: JSON.stringify(body) });
        assert.equal(response.status, 428);
      }
      assert.equal((await client.documents.getActivities('mindActsList')).activities.length, 1);
    });

    it('deletes by id, and reports when there is nothing to delete', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const [first, second] = [
        await client.documents.createActivity(sampleActivity()),
        await client.documents.createActivity(sampleActivity()),
      ];
      await client.documents.deleteActivity(first);
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, [second]);
      await assert.rejects(client.documents.deleteActivity(first), refusedWith('documents/not-found'));
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
        { title: '\u200b\u3164' },
        { image: 'javascript:alert(1)' },
        { image: '/api/documents/users.csv' },
        { image: '/files/../api/documents/users.csv' },
        { audio: '/api/documents/users.csv' },
        { image: '//outro.com.br/a.png' },
        { image: '/\\outro.com.br/a.png' },
        { audio: 'data:audio/mp3;base64,AAAA' },
      ];
      for (const change of bad) {
        const creation = client.documents.createActivity(sampleActivity(change));
        await assert.rejects(creation, refusedWith('request/invalid'), JSON.stringify(change));
      }
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, []);
      const hostile = '<script>alert(1)</script> " \' ; drop table activities; -- {{7*7}} 𝔘 ﷽ \u202e';
      const kept = await client.documents.createActivity(
        sampleActivity({ title: hostile, content: hostile }),
      );
      assert.deepEqual((await client.documents.getActivities('mindActsList')).activities, [kept]);
      assert.equal(kept.title, hostile);
    });
  });
}
