import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { type Activity, activityTag } from '#contract/activity.ts';
import { listNames } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`reading activities on ${kind}`, { concurrency: true }, () => {
    it('reads each list as one document with one field named after the list', async (t) => {
      const { visitor } = await startTestServer(t, kind);
      for (const list of listNames) {
        const response = await visitor.fetch(paths.documents.activities(list));
        assert.deepEqual(await response.json(), { [list]: [] });
      }
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
