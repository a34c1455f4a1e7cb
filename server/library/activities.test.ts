import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import { type Activity, activityTag } from '#contract/activity.ts';
import { listNames } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { sampleActivity, startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`activities on ${kind}`, { concurrency: true }, () => {
    it('reads each list as one document with one field named after the list', async (t) => {
      const { visitor } = await startTestServer(t, kind);
      for (const list of listNames) {
        const response = await visitor.fetch(paths.documents.activities(list));
        assert.deepEqual(await response.json(), { [list]: [] });
      }
    });

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
      for (const reader of [server.visitor, patient, bruno])
        for (const path of [
          list('nutriActsList'),
          `${list('nutriActsList')}/items`,
          `${list('nutriActsList')}/summaries`,
          paths.documents.activityItem('nutriActsList', opened.id),
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
      await bruno.client.auth.deleteAccount(bruno.password);
      assert.equal(await tooLate(), undefined);
    });

    it('lists the five last changed activities of all lists, newest first', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const axes = ['mind', 'move', 'nutri', 'family', 'mind', 'fun'] as const;
      const created: Activity[] = [];
      for (const axis of axes) created.push(await client.documents.createActivity(sampleActivity({ axis })));
      const [first] = created;
      assert.ok(first);
      const edited = await client.documents.updateActivity(first, sampleActivity({ title: 'De novo' }));
      const latest = await client.documents.getLatestActivities();
      const { id, axis, title, createdAt, updatedAt } = edited;
      assert.deepEqual(latest[0], { id, axis, title, createdAt, updatedAt });
      assert.equal(latest.length, 5);
      assert.deepEqual(
        new Set(latest.map((one) => one.id)),
        new Set([first, ...created.slice(2)].map((one) => one.id)),
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

    it('reads one activity, also by its URL from before it moved', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const created = await documents.createActivity(sampleActivity());
      assert.deepEqual(await server.visitor.client.documents.findActivity(created), created);
      const moved = await documents.updateActivity(created, sampleActivity({ axis: 'fun' }));
      assert.deepEqual(await documents.findActivity(created), moved);
      await documents.deleteActivity(moved);
      assert.equal(await documents.findActivity(moved), undefined);
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

    it('sends an ETag with every list and responds with 304 while nothing changed', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const path = paths.documents.activities('mindActsList');
      const tag = (await server.visitor.fetch(path)).headers.get('etag') ?? '';
      const revalidate = () => server.visitor.fetch(path, { headers: { 'if-none-match': `W/${tag}` } });
      const unchanged = await revalidate();
      assert.equal(unchanged.status, 304);
      // Caches update their stored headers from a 304.
      for (const [name, value] of [
        ['etag', tag],
        ['cache-control', 'public, no-cache'],
        ['vary', 'accept-encoding'],
      ] as const)
        assert.equal(unchanged.headers.get(name), value);
      await client.documents.createActivity(sampleActivity());
      const changed = await revalidate();
      assert.equal(changed.status, 200);
      assert.notEqual(changed.headers.get('etag'), tag);
    });

    it('sends no body with a 304, so that the client reads the next response correctly', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin');
      const { id } = await client.documents.createActivity(sampleActivity());
      const list = paths.documents.activities('mindActsList');
      for (const path of [list, `${list}/items/${id}`]) {
        const tag = (await server.visitor.fetch(path)).headers.get('etag') ?? '';
        const asked = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nif-none-match: ${tag}\r\n`;
        const { hostname, port } = new URL(server.url);
        const socket = createConnection(Number(port), hostname);
        socket.write(`${asked}\r\n${asked}connection: close\r\n\r\n`);
        const [first = '', second = '', ...rest] = (await text(socket)).split('\r\n\r\n');
        for (const head of [first, second]) {
          assert.match(head, /^HTTP\/1\.1 304 /);
          assert.doesNotMatch(head, /^(?:content-(?:length|type)|transfer-encoding):/im);
        }
        assert.deepEqual(rest, [''], 'nothing after the second');
      }
    });

    it('compresses a list for clients that accept it, always the current version', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const url = server.url + paths.documents.activities('mindActsList');
      for (let count = 1; count <= 3; count += 1) {
        await documents.createActivity(sampleActivity({ content: 'Note o ar que entra. '.repeat(200) }));
        const [plain, packed] = await Promise.all([
          fetch(url, { headers: { 'accept-encoding': 'identity' } }),
          fetch(url, { headers: { 'accept-encoding': 'gzip, br' } }),
        ]);
        assert.equal(plain.headers.get('content-encoding'), null);
        assert.equal(packed.headers.get('content-encoding'), 'br');
        assert.equal(packed.headers.get('etag'), plain.headers.get('etag'));
        const list = (await plain.json()) as { mindActsList: Activity[] };
        assert.equal(list.mindActsList.length, count);
        assert.deepEqual(await packed.json(), list);
      }
    });

    it('sees changes of another instance immediately', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const { url } = await server.twin();
      const read = async () => (await fetch(url + paths.documents.activities('mindActsList'))).json();
      assert.deepEqual(await read(), { mindActsList: [] });
      const created = await documents.createActivity(sampleActivity());
      assert.deepEqual(await read(), { mindActsList: [created] });
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

    it('sends the entity tag of an item with the item', async (t) => {
      const server = await startTestServer(t, kind);
      const { fetch } = await server.join('admin');
      const response = await fetch(paths.documents.activityItems('mindActsList'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sampleActivity()),
      });
      assert.equal(response.status, 201);
      assert.equal(response.headers.get('etag'), activityTag((await response.json()) as Activity));
    });
  });
}
