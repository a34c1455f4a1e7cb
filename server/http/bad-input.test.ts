import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import PQueue from 'p-queue';
import { errorBody } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { appChecked, permissions } from '../permissions.ts';
import { databaseKinds } from '../testing/databases.ts';
import { routeBodies, sampleActivity, withoutBody } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';

const json = { 'content-type': 'application/json' };
const tenMegabytes = 10 * 1024 * 1024;

/** Bodies that every route must refuse. */
const bodies: { what: string; headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> }[] = [
  { what: 'no JSON', headers: json, body: '{"title": ' },
  { what: 'nothing at all', headers: json, body: '' },
  { what: 'null', headers: json, body: 'null' },
  { what: 'an array', headers: json, body: '[]' },
  { what: 'a number', headers: json, body: '42' },
  { what: 'a string', headers: json, body: '"texto"' },
  { what: 'missing fields', headers: json, body: '{}' },
  { what: 'unknown fields', headers: json, body: '{"nada":1}' },
  { what: 'a prototype', headers: json, body: '{"__proto__":{"member":"admin"}}' },
  { what: 'a constructor', headers: json, body: '{"constructor":{"prototype":{"member":"admin"}}}' },
  {
    what: 'wrong types',
    headers: json,
    body: JSON.stringify({
      ...{
        displayName: 1,
        email: [],
        password: {},
        token: null,
        profilePic: 3,
        member: 'dona',
        staff: 'sim',
      },
      ...{ axis: 7, title: {}, url: [], content: false, image: null, mindActsList: 'lista' },
    }),
  },
  { what: 'deep nesting', headers: json, body: '['.repeat(50_000) + ']'.repeat(50_000) },
  {
    what: 'random bytes',
    headers: json,
    body: Uint8Array.from({ length: 512 }, (_, i) => (i * 197) % 256),
  },
  { what: '10 MB', headers: json, body: JSON.stringify({ title: 'a'.repeat(tenMegabytes) }) },
  { what: 'another type', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
  { what: 'a form', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' },
  { what: 'an unreadable type', headers: { 'content-type': 'a;;b' }, body: 'a' },
];

const kilobyte = 1024;
/** Routes that accept long bodies, with the bytes that each accepts. */
const longBodies = new Map([
  ['PUT /api/documents/diary/notes/:id', 31 * kilobyte],
  ['POST /api/documents/diary/import', 500 * kilobyte],
  // Only editors and admins may call these.
  ...[
    'PUT /api/documents/activities/:list',
    'PUT /api/documents/activities/:list/order',
    'POST /api/documents/activities/:list/items',
    'PUT /api/documents/activities/:list/items/:id',
    'PUT /api/site/draft/:section',
    'POST /api/documents/newsletter/issues',
    'PUT /api/documents/newsletter/issues/:id',
  ].map((row): [string, number] => [row, 500 * kilobyte]),
]);

/** Routes that ignore their body. */
const takesNoBody = new Set([
  'POST /api/auth/sign-out',
  'POST /api/auth/sessions/end-others',
  'POST /api/auth/send-verification-email',
  'POST /api/documents/activities/:list/items/:id/restore',
  'POST /api/documents/diary/shares/:id/revoke',
  'POST /api/documents/diary/notes/:id/close',
  'POST /api/documents/newsletter/issues/:id/test',
  'POST /api/documents/newsletter/issues/:id/send',
  'POST /api/documents/newsletter/issues/:id/pause',
  'POST /api/documents/newsletter/issues/:id/resume',
  'POST /api/site/preview',
  'POST /api/documents/reminder/test',
  'POST /carta/sair/:token',
  'POST /lembrete/sair/:token',
]);

/** Malformed path segments and queries. */
const oddParts = [
  '%00',
  '..%2f..%2fetc',
  '%E0%A4%A',
  "'%20or%201=1",
  '%F0%9F%99%82',
  'a'.repeat(2_000),
  '%0d%0aSet-Cookie:a',
  '-1',
  'NaN',
];

for (const kind of databaseKinds) {
  describe(`bad input on ${kind}`, () => {
    it('responds to every bad body on every changing route with 4xx, a code and a message', async (t) => {
      const server = await startTestServer(t, kind, { services: ['auth', 'documents', 'storage', 'site'] });
      const admin = await server.join('admin');
      const before = await server.database.selectFrom('users').selectAll().execute();
      await forEveryRoute(async (row) => {
        const [method = '', url = ''] = row.split(' ');
        if (['GET', 'HEAD', 'DELETE'].includes(method) || takesNoBody.has(row)) return;
        const path = url
          .replace(':uid', admin.uid)
          .replace(':list', 'mindActsList')
          .replace(':id', 'nenhuma');
        for (const { what, headers, body } of bodies) {
          // An empty patch changes nothing and gets a normal response.
          if (method === 'PATCH' && what === 'missing fields') continue;
          const proof = appChecked.has(row) ? await admin.appCheck() : {};
          const sent = { method, headers: { ...headers, ...proof, 'if-match': '"0"' }, body };
          const response = await admin.fetch(path, sent);
          await assertRefusal(response, `${row} with ${what}`);
        }
      });
      assert.deepEqual(await server.database.selectFrom('users').selectAll().execute(), before);
      assert.deepEqual(await server.database.selectFrom('activities').selectAll().execute(), []);
    });

    it('accepts JSON bodies of 16 KB, and larger ones only where a text can be long', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      for (const row of Object.keys(permissions)) {
        const [method = '', url = ''] = row.split(' ');
        if (!['POST', 'PUT', 'PATCH'].includes(method) || url.startsWith('/api/storage/')) continue;
        if (url.endsWith('/sign-out')) continue;
        const path = url.replace(':uid', admin.uid).replace(':list', 'mindActsList').replace(':id', 'x');
        const send = async (bytes: number) => {
          const proof = appChecked.has(row) ? await admin.appCheck() : {};
          const body = JSON.stringify({ title: '' }).padEnd(bytes);
          const response = await admin.fetch(path, { method, headers: { ...json, ...proof }, body });
          await response.arrayBuffer();
          return response.status;
        };
        assert.notEqual(await send(16 * 1024), 413, row);
        const long = longBodies.get(row);
        if (long !== undefined) assert.notEqual(await send(long), 413, row);
        else assert.equal(await send(16 * 1024 + 1), 413, row);
      }
      const longest = '🙂'.repeat(limits.contentMaxLength / 2);
      const escaped = JSON.stringify(sampleActivity({ content: longest })).replace(
        /[\ud800-\udfff]/g,
        (half) => `\\u${half.charCodeAt(0).toString(16)}`,
      );
      const response = await admin.fetch(paths.documents.activityItems('mindActsList'), {
        ...{ method: 'POST', headers: json, body: escaped },
      });
      assert.equal(response.status, 201);
      assert.equal(((await response.json()) as { content: string }).content, longest);
    });

    it('responds to malformed paths and queries without a server error', async (t) => {
      const server = await startTestServer(t, kind, { services: ['auth', 'documents', 'storage', 'site'] });
      const admin = await server.join('admin');
      await forEveryRoute(async (row) => {
        const [method = '', url = ''] = row.split(' ');
        if (url.endsWith('/sign-out')) return;
        for (const part of oddParts) {
          const paths = [
            url.replace(/:\w+|\*/g, part),
            `${url.replace(/:\w+|\*/g, 'x')}?${part}=${part}&token=${part}`,
          ];
          for (const path of paths) {
            if (path === url) continue;
            const body = method === 'PUT' || method === 'POST' ? { headers: json, body: '{}' } : {};
            const response = await admin.fetch(path, { method, redirect: 'manual', ...body });
            assert.ok(response.status < 500, `${method} ${path} responded with ${response.status}`);
            await response.body?.cancel();
          }
        }
      });
      assert.equal((await admin.fetch('/api/documents/counts')).status, 200);
    });

    it('refuses malformed values of the users query and names them', async (t) => {
      const server = await startTestServer(t, kind);
      const { fetch } = await server.join('admin');
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=1.5',
        'limit=muitos',
        'after=nada',
        'after=W10',
        'sort=category',
        'order=down',
        'search=%00',
      ]) {
        await assertRefusal(await fetch(`/api/documents/users?${query}`), query);
      }
      assert.equal((await fetch('/api/documents/users?search=a&search=b')).status, 400);
    });
  });
}

/** Calls `test` with every route: several at once, because some responses wait for an even time. */
const forEveryRoute = (test: (row: string) => Promise<void>) =>
  new PQueue({ concurrency: 8 }).addAll(Object.keys(permissions).map((row) => () => test(row)));

async function assertRefusal(response: Response, what: string) {
  assert.ok(response.status >= 400 && response.status < 500, `${what} responded with ${response.status}`);
  const { message } = errorBody.parse(await response.json());
  assert.ok(message.length > 0 && !/at .*:\d+:\d+/.test(message), what);
}

it('refuses a body with thousands of fields without repeating them', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const fields = Object.fromEntries(Array.from({ length: 1_900 }, (_, index) => [index.toString(36), 0]));
  const solution = { counter: 1, derivedKey: 'a' };
  for (const [path, body] of [
    [paths.auth.signIn, fields],
    [paths.auth.appCheck, { challenge: { parameters: fields, signature: 'a' }, solution }],
  ] as const) {
    const response = await server.visitor.fetch(path, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 400);
    assert.ok((await response.text()).length < 1_000, path);
  }
});

it('has a valid body to start from, for every route that takes JSON', () => {
  const takesJson = Object.keys(permissions).filter(
    (row) => /^(?:POST|PUT|PATCH) /.test(row) && !withoutBody.has(row),
  );
  assert.deepEqual(Object.keys(routeBodies).sort(), takesJson.sort());
});
