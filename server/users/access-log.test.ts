import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { permissions } from '../permissions.ts';
import { databaseKinds } from '../testing/databases.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { storageOf } from '../testing/storage.ts';

const json = { 'content-type': 'application/json' };

type Joined = Awaited<ReturnType<TestServer['join']>>;
type Ask = (actors: { admin: Joined; user: Joined; server: TestServer }) => Promise<Response>;

/** The routes by which an admin can read a user's data, and the entry that each writes to the access log. */
const reads: { route: string; name: string; what: string; status: number; ask: Ask }[] = [
  {
    ...{ route: 'GET /api/documents/newsletter/issues/:id', name: 'an issue that the user did not get' },
    ...{ what: 'newsletter', status: 200 },
    ask: async ({ admin, user, server: { database } }) => {
      const { id } = await (await admin.client.issues()).create({ subject: 'a', text: 'b', indexed: false });
      const times = { consentedAt: 1, confirmedAt: 1, mailedAt: 1 };
      await database
        .insertInto('newsletterSubscribers')
        .values({ id: 's', email: user.email, ...times })
        .execute();
      const delivery = { issueId: id, subscriberId: 's', state: 'refused' as const };
      await database
        .insertInto('newsletterDeliveries')
        .values({ ...delivery, attempts: 1, notBefore: 0, heldUntil: 0 })
        .execute();
      return admin.fetch(paths.documents.issue(id));
    },
  },
  {
    ...{ route: 'GET /api/documents/users', name: 'a list', what: 'users', status: 200 },
    ask: ({ admin }) => admin.fetch(paths.documents.users),
  },
  {
    ...{ route: 'GET /api/documents/users', name: 'the head of a list', what: 'users', status: 200 },
    ask: ({ admin }) => admin.fetch(paths.documents.users, { method: 'HEAD' }),
  },
  {
    ...{ route: 'GET /api/documents/users', name: 'a search that only counts the user', what: 'users' },
    status: 200,
    // The admin's new name contains the user's email address, so the search finds both of them. The name also
    // makes the admin the first in the list, so that the page, which has one user, does not show the user.
    ask: async ({ admin, user }) => {
      await admin.client.documents.updateUser(admin.uid, { displayName: `AAA ${user.email}` });
      const response = await admin.fetch(`${paths.documents.users}?search=${user.email}&limit=1`);
      const page = (await response.clone().json()) as { documents: { id: string }[]; total: number };
      assert.deepEqual([page.documents[0]?.id, page.total], [admin.uid, 2]);
      return response;
    },
  },
  {
    ...{ route: 'GET /api/documents/users', name: 'a list that has not changed', what: 'users', status: 304 },
    ask: async ({ admin, user, server }) => {
      const list = `${paths.documents.users}?search=${user.email}`;
      const tag = (await admin.fetch(list)).headers.get('etag') ?? '';
      await server.database.deleteFrom('accessLog').execute();
      return admin.fetch(list, { headers: { 'if-none-match': tag } });
    },
  },
  {
    ...{ route: 'GET /api/documents/users.csv', name: 'an export', what: 'users.csv', status: 200 },
    ask: async ({ admin, user }) => {
      const response = await admin.fetch(paths.documents.usersCsv);
      // The export is logged in parts: each part before the server sends the lines of its users.
      const lines = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
      let read = '';
      for await (const part of lines) {
        read += part;
        if (read.includes(user.email)) break;
      }
      return response;
    },
  },
  {
    ...{ route: 'GET /api/documents/users/:uid', name: 'a record', what: 'users', status: 200 },
    ask: ({ admin, user }) => admin.fetch(paths.documents.user(user.uid)),
  },
  {
    ...{ route: 'GET /api/documents/users/:uid', name: 'a record that has not changed', what: 'users' },
    status: 304,
    ask: async ({ admin, user, server }) => {
      const tag = (await admin.fetch(paths.documents.user(user.uid))).headers.get('etag') ?? '';
      await server.database.deleteFrom('accessLog').execute();
      return admin.fetch(paths.documents.user(user.uid), { headers: { 'if-none-match': tag } });
    },
  },
  {
    ...{ route: 'PATCH /api/documents/users/:uid', name: 'an empty change', what: 'users', status: 200 },
    ask: ({ admin, user }) => patch(admin, user, {}),
  },
  {
    ...{ route: 'PATCH /api/documents/users/:uid', name: 'a refused change', what: 'users', status: 412 },
    ask: ({ admin, user }) => patch(admin, user, { staff: true }, { 'if-match': '"wrong"' }),
  },
  {
    ...{ route: 'GET /api/documents/newsletter.csv', name: 'the subscribers', what: 'newsletter.csv' },
    status: 200,
    ask: async ({ admin, user, server }) => {
      await server.database
        .insertInto('newsletterSubscribers')
        .values({ id: 's', email: user.email, consentedAt: 1, confirmedAt: 2, mailedAt: 1 })
        .execute();
      return admin.fetch(paths.documents.newsletterCsv);
    },
  },
  {
    ...{ route: 'GET /api/auth/invitations', name: 'the open invitations', what: 'invitations' },
    status: 200,
    ask: async ({ admin, user }) => {
      await admin.client.auth.invite({ email: user.email, member: true });
      return admin.fetch(paths.auth.invitations);
    },
  },
  ...(['metadata', 'download-url'] as const).flatMap((call) => [
    {
      ...{ route: `GET /api/storage/${call}`, name: `the ${call} of a picture`, what: 'profilePic' },
      status: 200,
      ask: (async ({ admin, user, server }) => {
        const path = `profilePics/${user.uid}/foto`;
        await addPicture(server, user, path);
        return storageOf(admin).call(`/api/storage/${call}?path=${encodeURIComponent(path)}`);
      }) satisfies Ask,
    },
    {
      ...{ route: `GET /api/storage/${call}`, name: `the ${call} of no picture`, what: 'profilePic' },
      status: 404,
      ask: (({ admin, user }) =>
        storageOf(admin).call(
          `/api/storage/${call}?path=${encodeURIComponent(`profilePics/${user.uid}/foto`)}`,
        )) satisfies Ask,
    },
  ]),
];

/** Admin routes that reveal nothing about a user, each with what it is about. */
const tellNothing: Record<string, string> = {
  'GET /api/documents/newsletter/issues': 'the issues, and numbers of recipients',
  'POST /api/documents/newsletter/issues': 'a draft, which has no recipients',
  'PUT /api/documents/newsletter/issues/:id': 'logged like the read of an issue',
  'POST /api/documents/newsletter/issues/:id/send': 'logged like the read of an issue',
  'POST /api/documents/newsletter/issues/:id/pause': 'logged like the read of an issue',
  'POST /api/documents/newsletter/issues/:id/resume': 'logged like the read of an issue',
  'DELETE /api/documents/newsletter/issues/:id': 'nothing',
  'GET /api/documents/newsletter/issues/:id/mail': 'the text',
  'POST /api/documents/newsletter/issues/:id/test': 'nothing',
  'PUT /api/documents/clinicians/:uid': 'logged as a change (diary/clinicians.test.ts)',
  'DELETE /api/documents/clinicians/:uid': 'logged as a change',
  'GET /api/documents/shared-diaries': 'what patients allow, and nothing of their diaries',
  'GET /api/documents/shared-diaries/:uid': 'what a patient allows, and nothing of the diary',
  'GET /api/documents/shared-diaries/:uid/entries': 'logged in diaryReads (diary/shared-diaries.test.ts)',
  'GET /api/documents/shared-diaries/:uid/note': 'logged in diaryReads (diary/shared-diaries.test.ts)',
  'GET /api/documents/patients/:uid/assignments': 'logged in diaryReads (diary/assignments.test.ts)',
  'POST /api/documents/patients/:uid/assignments': 'a proposal, which the user sees',
  'POST /api/documents/patients/:uid/assignments/:id/withdraw': 'a proposal of the clinician',
  'POST /api/auth/invitations': 'what the admin has entered',
  'DELETE /api/auth/invitations/:id': 'an invitation that the admin has seen',
  'GET /api/documents/counts': 'how many users there are',
  'GET /api/documents/operation': 'the backups and the disk',
  'GET /api/documents/latest-activities': 'the library',
  'GET /api/documents/practice-totals': 'counts of practices, without users',
  'GET /api/documents/activities/:list/summaries': 'the library',
  'GET /api/documents/activities/:list/deleted': 'the library',
  'GET /api/documents/activities/:list/items': 'the library',
  'PUT /api/documents/activities/:list': 'the library',
  'PUT /api/documents/activities/:list/order': 'the library',
  'POST /api/documents/activities/:list/items': 'the library',
  'PUT /api/documents/activities/:list/items/:id': 'the library',
  'DELETE /api/documents/activities/:list/items/:id': 'the library',
  'POST /api/documents/activities/:list/items/:id/restore': 'the library',
  'GET /api/site/draft': "the site's content",
  'PUT /api/site/draft/:section': "the site's content",
  'DELETE /api/site/draft/:section': "the site's content",
  'POST /api/site/preview': "the site's content",
  'POST /api/site/publish': "the site's content",
  'GET /api/site/versions': "the site's content",
  'GET /api/site/versions/:version': "the site's content",
  'DELETE /api/site/versions/:version': "the site's content",
  'POST /api/site/versions/:version/restore': "the site's content",
  'POST /api/auth/second-factor/enable': "the admin's account",
  'POST /api/auth/second-factor/confirm': "the admin's account",
  'POST /api/storage/objects': 'refused for the pictures of other users',
  'DELETE /api/storage/objects': 'refused for the pictures of other users',
  'POST /api/storage/resumable': 'refused for the pictures of other users',
  'HEAD /api/storage/resumable/:uploadId': 'only own uploads',
  'PATCH /api/storage/resumable/:uploadId': 'only own uploads',
  'DELETE /api/storage/resumable/:uploadId': 'only own uploads',
};

const patch = (admin: Joined, { uid }: Joined, body: object, headers: Record<string, string> = {}) =>
  admin.fetch(paths.documents.user(uid), {
    method: 'PATCH',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });

async function addPicture({ database }: TestServer, { uid: ownerId }: Joined, path: string) {
  await database
    .insertInto('files')
    .values({
      ...{ path, ownerId, key: 'k', contentType: 'image/webp', sizeBytes: 1, storedBytes: 1 },
      ...{ sha256: '', versions: '', token: 't', width: 1, height: 1, createdAt: 1 },
    })
    .execute();
}

it('covers every admin route: its reads are logged, or it reveals nothing', () => {
  const decided = new Set([...reads.map(({ route }) => route), ...Object.keys(tellNothing)]);
  const ofAdmins = Object.entries(permissions)
    .filter(([, row]) => ['admin', 'editor', 'clinician', 'self-or-admin', 'bearer'].includes(row))
    .map(([route]) => route);
  assert.deepEqual(
    ofAdmins.filter((route) => !decided.has(route)),
    [],
  );
});

for (const kind of databaseKinds) {
  describe(`access log on ${kind}`, { concurrency: true }, () => {
    for (const { route, name, what, status, ask } of reads) {
      it(`logs ${name} before the response (${route})`, async (t) => {
        const server = await startTestServer(t, kind);
        const admin = await server.join('admin', 'Dora Admin');
        const user = await server.join('no', 'Ana');
        const response = await ask({ admin, user, server });
        assert.equal(response.status, status);
        const log = await server.database
          .selectFrom('accessLog')
          .select(['actorId', 'action', 'what'])
          .where('subjectId', '=', user.uid)
          .execute();
        assert.deepEqual(
          log.map((entry) => ({ ...entry })),
          [{ actorId: admin.uid, action: 'read', what }],
        );
      });
    }

    it('keeps naming an admin after a name change and after the account is deleted', async (t) => {
      const server = await startTestServer(t, kind);
      const [admin, user] = [await server.join('admin', 'Dora Admin'), await server.join('no', 'Ana')];
      await server.join('admin');
      // Inserts an entry like those from before migration 013, which have no id of the admin.
      await server.database
        .insertInto('accessLog')
        .values({
          ...{ id: '0', at: 1, subjectId: user.uid, actorId: null, actorName: 'Alguém' },
          ...{ action: 'read', what: 'users' },
        })
        .execute();
      await admin.client.documents.getUser(user.uid);
      await admin.client.documents.updateUser(admin.uid, { displayName: 'Outro Nome' });
      await admin.client.documents.getUser(user.uid);
      await admin.client.auth.deleteAccount({ password: admin.password });
      const { accessLog } = await user.client.documents.exportAccount();
      assert.deepEqual(
        accessLog.map(({ by, byId }) => [by, byId]),
        [
          ['Alguém', null],
          ['Dora Admin', admin.uid],
          ['Outro Nome', admin.uid],
        ],
      );
    });

    it("logs nothing about users who do not exist, nor a user's access to their own data", async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      for (const uid of ['ninguem', admin.uid]) {
        await admin.fetch(paths.documents.user(uid));
        await storageOf(admin).metadata(`profilePics/${uid}/foto`);
      }
      assert.deepEqual(await server.database.selectFrom('accessLog').selectAll().execute(), []);
    });

    it('cannot be bypassed with a forged cursor', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin', 'Zélia');
      for (const name of ['Ana', 'Bia', 'Caio']) await server.join('no', name);
      const { next } = await admin.client.documents.listUsers({ limit: 1 });
      const found = await admin.client.documents.listUsers({ limit: 1, search: 'exemplo' });
      assert.ok(next && found.next);
      const status = async (query: string) => (await admin.fetch(`${paths.documents.users}?${query}`)).status;
      assert.equal(await status(`after=${next}`), 200);
      assert.equal(await status(`search=exemplo&after=${found.next}`), 200);
      const [content = '', signature = ''] = next.split('.');
      const own = Buffer.from(JSON.stringify(['name', 'zz', 'x'])).toString('base64url');
      for (const forged of [
        own,
        `${own}.${signature}`,
        content,
        `${content}.`,
        `${content}x.${signature}`,
        'é.é',
      ])
        assert.equal(await status(`after=${encodeURIComponent(forged)}`), 400, forged);
      // The server refuses a cursor that belongs to another search or another order.
      assert.equal(await status(`search=ana&after=${next}`), 400);
      assert.equal(await status(`search=ana&after=${found.next}`), 400);
      assert.equal(await status(`after=${found.next}`), 400);
      assert.equal(await status(`order=desc&after=${next}`), 400);
      assert.equal(await status(`sort=email&after=${next}`), 400);
      // Later pages repeat the total that is in the cursor, so they do not reveal new sign-ups.
      await server.join('no', 'Dora');
      const later = await admin.client.documents.listUsers({
        limit: 1,
        search: 'exemplo',
        after: found.next,
      });
      assert.equal(later.total, found.total);
    });

    it('pages past users with the longest names', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin', '漢'.repeat(120));
      const email = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}br`;
      const update = { displayName: '漢'.repeat(120), email, searchKey: `${'漢'.repeat(120)} ${email}` };
      await server.database.updateTable('users').set(update).where('id', '=', admin.uid).execute();
      await server.join('no', '漢'.repeat(120));
      await server.join('no', '漢'.repeat(120));
      const first = await admin.client.documents.listUsers({ limit: 1 });
      const second = await admin.client.documents.listUsers({ limit: 1, after: first.next ?? '' });
      assert.equal(second.documents.length, 1);
    });
  });
}
