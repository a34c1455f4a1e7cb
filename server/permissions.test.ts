import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import type { AppCheck } from './auth/app-check/app-check.ts';
import type { Auth } from './auth/auth.ts';
import { guardRoutes } from './auth/guards.ts';
import type { StorageBearer } from './auth/sessions/storage-bearer.ts';
import { type Permission, permissions } from './permissions.ts';
import { databaseKinds } from './testing/databases.ts';
import { sampleActivity } from './testing/samples.ts';
import { startTestServer } from './testing/server.ts';
import { sectionOf, withFields } from './testing/site-content.ts';

/**
 * The expected status of each route for each role. The calls are about another user, or about a document that
 * does not exist.
 */
const expectedResponses: Record<
  string,
  { body?: unknown; visitor: number; patient: number; member: number; editor: number; admin: number }
> = {
  'GET /healthz': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /readyz': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  // This server has no METRICS_TOKEN; server/http/metrics.test.ts tests the route with one.
  'GET /metrics': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },

  // These requests have no app-check token.
  'POST /api/auth/sign-up/email': { visitor: 403, patient: 403, member: 403, editor: 403, admin: 403 },
  'POST /api/auth/sign-in/email': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'GET /api/auth/get-session': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'POST /api/auth/request-password-reset': {
    visitor: 403,
    patient: 403,
    member: 403,
    editor: 403,
    admin: 403,
  },
  'POST /api/auth/reset-password': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  // The route redirects to a page, because the links that an earlier version mailed are no longer valid.
  'GET /api/auth/verify-email': { visitor: 303, patient: 303, member: 303, editor: 303, admin: 303 },
  'POST /api/auth/verify-email': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'POST /api/auth/verify-email/link': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'POST /api/auth/send-verification-email': {
    visitor: 401,
    patient: 204,
    member: 204,
    editor: 204,
    admin: 204,
  },
  'POST /api/auth/first-admin': { visitor: 401, patient: 400, member: 400, editor: 400, admin: 400 },
  'GET /api/auth/invitations': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 200 },
  'POST /api/auth/invitations': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 400 },
  'DELETE /api/auth/invitations/:id': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 404 },
  'POST /api/auth/invitations/link': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'POST /api/auth/invitations/accept': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'GET /api/auth/sessions': { visitor: 401, patient: 200, member: 200, editor: 200, admin: 200 },
  'DELETE /api/auth/sessions/:id': { visitor: 401, patient: 204, member: 204, editor: 204, admin: 204 },
  'POST /api/auth/sessions/end-others': { visitor: 401, patient: 204, member: 204, editor: 204, admin: 204 },
  'POST /api/auth/change-password': { visitor: 401, patient: 400, member: 400, editor: 400, admin: 400 },
  'POST /api/auth/delete-account': { visitor: 401, patient: 400, member: 400, editor: 400, admin: 400 },
  'POST /api/auth/second-factor/enable': { visitor: 401, patient: 403, member: 403, editor: 400, admin: 400 },
  'POST /api/auth/second-factor/confirm': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 400,
    admin: 400,
  },
  'POST /api/auth/second-factor/disable': {
    visitor: 401,
    patient: 400,
    member: 400,
    editor: 400,
    admin: 400,
  },
  'POST /api/auth/second-factor/verify': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'GET /api/auth/methods': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  // This server has no Google client id.
  'GET /api/auth/google': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },
  'GET /api/auth/callback/google': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },
  'GET /api/auth/app-check/challenge': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'POST /api/auth/app-check': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'GET /api/auth/token': { visitor: 401, patient: 200, member: 200, editor: 200, admin: 200 },

  'GET /api/documents/users': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 200 },
  'GET /api/documents/users.csv': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 200 },
  'GET /api/documents/users/:uid': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 200 },
  'PATCH /api/documents/users/:uid': {
    body: {},
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 403,
    admin: 200,
  },
  'GET /api/documents/account-export': { visitor: 401, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /api/documents/wordMood/:uid': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 403 },
  'GET /api/documents/activities/:list': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /api/documents/activities/:list/summaries': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 200,
    admin: 200,
  },
  'GET /api/documents/activities/:list/deleted': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 200,
    admin: 200,
  },
  'PUT /api/documents/activities/:list': {
    body: {},
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 428,
    admin: 428,
  },
  'GET /api/documents/activities/:list/items': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 200,
    admin: 200,
  },
  'POST /api/documents/activities/:list/items': {
    body: {},
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 400,
    admin: 400,
  },
  'GET /api/documents/activities/:list/items/:id': {
    visitor: 404,
    patient: 404,
    member: 404,
    editor: 404,
    admin: 404,
  },
  'PUT /api/documents/activities/:list/items/:id': {
    body: {},
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 428,
    admin: 428,
  },
  'DELETE /api/documents/activities/:list/items/:id': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 404,
    admin: 404,
  },
  'POST /api/documents/activities/:list/items/:id/restore': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 404,
    admin: 404,
  },
  'GET /api/documents/practices': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /api/documents/practice-pages/:id': {
    visitor: 200,
    patient: 200,
    member: 200,
    editor: 200,
    admin: 200,
  },
  'GET /api/documents/favourites': { visitor: 401, patient: 200, member: 200, editor: 200, admin: 200 },
  'PUT /api/documents/favourites/:id': {
    body: {},
    visitor: 401,
    patient: 404,
    member: 404,
    editor: 404,
    admin: 404,
  },
  'DELETE /api/documents/favourites/:id': {
    visitor: 401,
    patient: 204,
    member: 204,
    editor: 204,
    admin: 204,
  },
  'GET /api/documents/night-practices': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /api/documents/latest-activities': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 200,
    admin: 200,
  },
  'GET /api/documents/counts': { visitor: 401, patient: 403, member: 403, editor: 200, admin: 200 },
  'GET /api/documents/operation': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 200 },
  'POST /api/documents/newsletter': { visitor: 403, patient: 403, member: 403, editor: 403, admin: 403 },
  'POST /api/documents/newsletter/confirm': {
    visitor: 400,
    patient: 400,
    member: 400,
    editor: 400,
    admin: 400,
  },
  'POST /api/documents/newsletter/leave': {
    visitor: 400,
    patient: 400,
    member: 400,
    editor: 400,
    admin: 400,
  },
  'GET /api/documents/newsletter.csv': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 200 },
  'POST /api/documents/practice-events': { visitor: 400, patient: 400, member: 400, editor: 400, admin: 400 },
  'GET /api/documents/practice-totals': { visitor: 401, patient: 403, member: 403, editor: 200, admin: 200 },

  // These requests have no bearer token; server/storage/files/permissions.test.ts tests them with one.
  'POST /api/storage/objects': { visitor: 401, patient: 401, member: 401, editor: 401, admin: 401 },
  'DELETE /api/storage/objects': { visitor: 401, patient: 401, member: 401, editor: 401, admin: 401 },
  'GET /api/storage/metadata': { visitor: 401, patient: 401, member: 401, editor: 401, admin: 401 },
  'GET /api/storage/download-url': { visitor: 401, patient: 401, member: 401, editor: 401, admin: 401 },
  'POST /api/storage/resumable': { visitor: 401, patient: 401, member: 401, editor: 401, admin: 401 },
  'HEAD /api/storage/resumable/:uploadId': {
    visitor: 401,
    patient: 401,
    member: 401,
    editor: 401,
    admin: 401,
  },
  'PATCH /api/storage/resumable/:uploadId': {
    visitor: 401,
    patient: 401,
    member: 401,
    editor: 401,
    admin: 401,
  },
  'DELETE /api/storage/resumable/:uploadId': {
    visitor: 401,
    patient: 401,
    member: 401,
    editor: 401,
    admin: 401,
  },
  'GET /files/*': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },
  'GET /api/site/content': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /api/site/draft': { visitor: 401, patient: 403, member: 403, editor: 200, admin: 200 },
  'PUT /api/site/draft/:section': { visitor: 401, patient: 403, member: 403, editor: 404, admin: 404 },
  'DELETE /api/site/draft/:section': { visitor: 401, patient: 403, member: 403, editor: 404, admin: 404 },
  'POST /api/site/preview': { visitor: 401, patient: 403, member: 403, editor: 200, admin: 200 },
  'GET /previa/*': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },
  'POST /api/site/publish': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 428 },
  'GET /api/site/versions': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 200 },
  'GET /api/site/versions/:version': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 400 },
  'DELETE /api/site/versions/:version': { visitor: 401, patient: 403, member: 403, editor: 403, admin: 400 },
  'POST /api/site/versions/:version/restore': {
    visitor: 401,
    patient: 403,
    member: 403,
    editor: 403,
    admin: 400,
  },
  'GET /robots.txt': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /sitemap.xml': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  'GET /site.webmanifest': { visitor: 200, patient: 200, member: 200, editor: 200, admin: 200 },
  // No practice has this id, and the version in the URL is not a number.
  'GET /share/practices/:id.png': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },
  'GET /share/:version.png': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },
  'GET /*': { visitor: 404, patient: 404, member: 404, editor: 404, admin: 404 },

  // This row must be the last one, because it signs the caller out.
  'POST /api/auth/sign-out': { visitor: 204, patient: 204, member: 204, editor: 204, admin: 204 },
};

/** The cells of docs/permissions.md: visitor, patient, member, editor, admin. */
const cellsOf: Record<Permission, string[]> = {
  everyone: ['yes', 'yes', 'yes', 'yes', 'yes'],
  'everyone-known': ['yes', 'yes', 'yes', 'yes', 'yes'],
  'signed-in': ['', 'yes', 'yes', 'yes', 'yes'],
  editor: ['', '', '', 'yes', 'yes'],
  admin: ['', '', '', '', 'yes'],
  self: ['', 'own', 'own', 'own', 'own'],
  'self-or-admin': ['', 'own', 'own', 'own', 'yes'],
  bearer: ['', 'path', 'path', 'path', 'path'],
  operator: ['token', 'token', 'token', 'token', 'token'],
};

describe('permissions', () => {
  it('have an expected response for every route with a row, and a row for every route', async (t) => {
    const { app } = await startTestServer(t, 'sqlite', {
      services: ['auth', 'documents', 'storage', 'site'],
    });
    assert.deepEqual(Object.keys(expectedResponses).sort(), Object.keys(permissions).sort());
    for (const row of Object.keys(permissions)) {
      const [method = '', url = ''] = row.split(' ');
      assert.ok(app.hasRoute({ method, url }), `${row} has a row but no route`);
    }
  });

  it('are the table of docs/permissions.md', () => {
    const shown = readFileSync(join(import.meta.dirname, '..', 'docs', 'permissions.md'), 'utf8');
    const lines = shown.split('\n').filter((line) => line.startsWith('| `'));
    const expected = Object.entries(permissions).map(
      ([route, row]) => `| \`${route}\` | ${cellsOf[row].join(' | ')} |`,
    );
    assert.deepEqual(lines, expected);
  });

  it('stop the start when a route has no row', async () => {
    const app = fastify();
    guardRoutes(app, {
      auth: {} as Auth,
      appCheck: {} as AppCheck,
      bearer: {} as StorageBearer,
      origins: new Set(),
      operatorToken: undefined,
    });
    assert.throws(
      () => app.get('/extra', async () => 'extra'),
      /GET \/extra has no row in server\/permissions\.ts/,
    );
  });

  for (const kind of databaseKinds) {
    it(`give visitor, patient, member, editor and admin the responses of the table, on ${kind}`, async (t) => {
      const server = await startTestServer(t, kind, { services: ['auth', 'documents', 'storage', 'site'] });
      const stranger = await server.join();
      const callers = {
        visitor: server.visitor,
        patient: await server.join('no'),
        member: await server.join('member'),
        editor: await server.join('editor'),
        admin: await server.join('admin'),
      };
      for (const [row, { body, ...expected }] of Object.entries(expectedResponses)) {
        const [method = '', url = ''] = row.split(' ');
        const path = url
          .replace(':uid', stranger.uid)
          .replace(':list', 'mindActsList')
          .replace(':id', 'nenhuma')
          .replace('*', 'nada');
        for (const [role, user] of Object.entries(callers)) {
          const response = await user.fetch(path, {
            method,
            redirect: 'manual',
            ...(body !== undefined && {
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          });
          assert.equal(response.status, expected[role as keyof typeof expected], `${role}: ${row}`);
        }
      }
    });

    it(`do not reveal whether a user exists, on ${kind}`, async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const refusal = async (uid: string) => {
        const response = await ana.fetch(`/api/documents/users/${uid}`);
        const { code, message } = (await response.json()) as { code: string; message: string };
        return { status: response.status, code, message };
      };
      assert.deepEqual(await refusal(bia.uid), await refusal('ninguem'));
    });

    it(`end at once when a role is removed, on ${kind}`, async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join('admin');
      for (const bia of [await server.join('admin'), await server.join('editor')]) {
        await bia.client.documents.getCounts();
        await ana.client.documents.updateUser(bia.uid, { member: false });
        assert.equal((await bia.fetch('/api/documents/counts')).status, 403);
      }
    });

    it(`let an editor learn no name, email address or id of a patient, on ${kind}`, async (t) => {
      const server = await startTestServer(t, kind, { services: ['auth', 'documents', 'storage', 'site'] });
      const editor = await server.join('editor', 'Edite Edição');
      // A patient who was an editor before, and has left the name in the library and in the site's draft.
      const patient = await server.join('editor', 'Zuleica Zanone');
      const { documents, site } = patient.client;
      const changed = await documents.createActivity(sampleActivity());
      const deleted = await documents.createActivity(sampleActivity());
      await documents.deleteActivity(deleted);
      await documents.keepFavourite(changed.id);
      const draft = await site.getDraft();
      await site.saveSection(withFields(draft, 'member', { lead: 'Escrito pela paciente.' }));
      await documents.updateUser(patient.uid, { profilePic: '/images/zuleica.svg' });
      await documents.subscribeToNewsletter(patient.email);
      await server.database
        .updateTable('users')
        .set({ member: 'no' })
        .where('id', '=', patient.uid)
        .execute();

      const urls = Object.keys(permissions).filter((row) => row.startsWith('GET ') && row !== 'GET /*');
      const sent = urls.map((row): [string, string, unknown?] => ['GET', row.replace('GET ', '')]);
      sent.push(['GET', '/api/documents/activities/:list/summaries?names=1']);
      sent.push(['PUT', '/api/documents/activities/:list/items/:id', sampleActivity()]);
      sent.push(['PUT', '/api/site/draft/:section', sectionOf(draft, 'member').content]);
      sent.push(['DELETE', '/api/site/draft/:section'], ['PATCH', '/api/documents/users/:uid', {}]);
      sent.push(['POST', '/api/site/preview'], ['POST', '/api/documents/activities/:list/items/:id/restore']);
      for (const [method, url, body] of sent) {
        const path = url
          .replace(':uid', patient.uid)
          .replace(':list', 'mindActsList')
          .replace(':id', url.includes('restore') ? deleted.id : changed.id)
          .replace(':section', 'member')
          .replace(':version', '0');
        const response = await editor.fetch(path, {
          method,
          headers: { 'if-match': '"old"', ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (url.endsWith('?names=1')) assert.equal(response.status, 403);
        const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
        for (const secret of ['Zuleica', 'Zanone', patient.email, patient.uid, 'zuleica.svg'])
          assert.ok(!text.includes(secret), `${method} ${path} tells ${secret}`);
      }
      assert.deepEqual(Object.keys(await editor.client.documents.getCounts()).sort(), [
        ...['mind', 'move', 'nutri', 'values'],
      ]);
    });
  }
});
