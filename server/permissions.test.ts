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

/** The callers, in the order of the columns of `expectedResponses`. */
const roles = ['visitor', 'patient', 'member', 'editor', 'admin'] as const;

/**
 * The expected status of each route for each role. The calls are about another user, or about a document that
 * does not exist.
 */
const expectedResponses: Record<string, number[]> = {
  'GET /healthz': [200, 200, 200, 200, 200],
  'GET /readyz': [200, 200, 200, 200, 200],
  // This server has no METRICS_TOKEN; server/http/metrics.test.ts tests the route with one.
  'GET /metrics': [404, 404, 404, 404, 404],

  // These requests have no app-check token.
  'POST /api/auth/sign-up/email': [403, 403, 403, 403, 403],
  'POST /api/auth/sign-in/email': [400, 400, 400, 400, 400],
  'GET /api/auth/get-session': [200, 200, 200, 200, 200],
  'POST /api/auth/request-password-reset': [403, 403, 403, 403, 403],
  'POST /api/auth/reset-password': [400, 400, 400, 400, 400],
  // The route redirects to a page, because the links that an earlier version mailed are no longer valid.
  'GET /api/auth/verify-email': [303, 303, 303, 303, 303],
  'POST /api/auth/verify-email': [400, 400, 400, 400, 400],
  'POST /api/auth/verify-email/link': [400, 400, 400, 400, 400],
  'POST /api/auth/send-verification-email': [401, 204, 204, 204, 204],
  'POST /api/auth/first-admin': [401, 400, 400, 400, 400],
  'GET /api/auth/invitations': [401, 403, 403, 403, 200],
  'POST /api/auth/invitations': [401, 403, 403, 403, 400],
  'DELETE /api/auth/invitations/:id': [401, 403, 403, 403, 404],
  'POST /api/auth/invitations/link': [400, 400, 400, 400, 400],
  'POST /api/auth/invitations/accept': [400, 400, 400, 400, 400],
  'GET /api/auth/sessions': [401, 200, 200, 200, 200],
  'DELETE /api/auth/sessions/:id': [401, 204, 204, 204, 204],
  'POST /api/auth/sessions/end-others': [401, 204, 204, 204, 204],
  'POST /api/auth/change-password': [401, 400, 400, 400, 400],
  'POST /api/auth/delete-account': [401, 400, 400, 400, 400],
  'POST /api/auth/email-change': [401, 400, 400, 400, 400],
  'DELETE /api/auth/email-change': [401, 204, 204, 204, 204],
  'POST /api/auth/email-change/confirm': [401, 400, 400, 400, 400],
  'POST /api/auth/email-change/take-back': [400, 400, 400, 400, 400],
  'GET /api/auth/passkeys/challenge': [200, 200, 200, 200, 200],
  'POST /api/auth/passkeys/sign-in': [400, 400, 400, 400, 400],
  'POST /api/auth/passkeys/begin': [401, 400, 400, 400, 400],
  'POST /api/auth/passkeys': [401, 400, 400, 400, 400],
  'PATCH /api/auth/passkeys/:id': [401, 400, 400, 400, 400],
  'POST /api/auth/passkeys/:id/delete': [401, 400, 400, 400, 400],
  'POST /api/auth/second-factor/enable': [401, 400, 400, 400, 400],
  'POST /api/auth/second-factor/confirm': [401, 400, 400, 400, 400],
  'POST /api/auth/second-factor/disable': [401, 400, 400, 400, 400],
  'POST /api/auth/second-factor/verify': [400, 400, 400, 400, 400],
  'GET /api/auth/methods': [200, 200, 200, 200, 200],
  // This server has no Google client id.
  'GET /api/auth/google': [404, 404, 404, 404, 404],
  'GET /api/auth/callback/google': [404, 404, 404, 404, 404],
  'GET /api/auth/app-check/challenge': [200, 200, 200, 200, 200],
  'POST /api/auth/app-check': [400, 400, 400, 400, 400],
  'GET /api/auth/token': [401, 200, 200, 200, 200],

  'GET /api/documents/users': [401, 403, 403, 403, 200],
  'GET /api/documents/users.csv': [401, 403, 403, 403, 200],
  'GET /api/documents/users/:uid': [401, 403, 403, 403, 200],
  'PATCH /api/documents/users/:uid': [401, 403, 403, 403, 200],
  'GET /api/documents/account-export': [401, 200, 200, 200, 200],
  'GET /api/documents/wordMood/:uid': [401, 403, 403, 403, 403],
  'GET /api/documents/activities/:list': [200, 200, 200, 200, 200],
  'GET /api/documents/activities/:list/summaries': [401, 403, 403, 200, 200],
  'GET /api/documents/activities/:list/deleted': [401, 403, 403, 200, 200],
  'PUT /api/documents/activities/:list': [401, 403, 403, 428, 428],
  'PUT /api/documents/activities/:list/order': [401, 403, 403, 400, 400],
  'GET /api/documents/activities/:list/items': [401, 403, 403, 200, 200],
  'POST /api/documents/activities/:list/items': [401, 403, 403, 400, 400],
  'GET /api/documents/activities/:list/items/:id': [404, 404, 404, 404, 404],
  'PUT /api/documents/activities/:list/items/:id': [401, 403, 403, 428, 428],
  'DELETE /api/documents/activities/:list/items/:id': [401, 403, 403, 404, 404],
  'POST /api/documents/activities/:list/items/:id/restore': [401, 403, 403, 404, 404],
  'GET /api/documents/practices': [200, 200, 200, 200, 200],
  'GET /api/documents/practice-pages/:id': [200, 200, 200, 200, 200],
  'GET /api/documents/favourites': [401, 200, 200, 200, 200],
  'PUT /api/documents/favourites/:id': [401, 404, 404, 404, 404],
  'DELETE /api/documents/favourites/:id': [401, 204, 204, 204, 204],
  'GET /api/documents/diary': [401, 200, 200, 200, 200],
  'DELETE /api/documents/diary': [401, 204, 204, 204, 204],
  'PUT /api/documents/diary/pause': [401, 400, 400, 400, 400],
  'GET /api/documents/diary/days': [401, 200, 200, 200, 200],
  'GET /api/documents/diary/chart': [401, 400, 400, 400, 400],
  'GET /api/documents/diary/consent': [401, 200, 200, 200, 200],
  'POST /api/documents/diary/consent': [401, 400, 400, 400, 400],
  'GET /api/documents/diary/entries': [401, 200, 200, 200, 200],
  'GET /api/documents/diary/entries/:id': [401, 400, 400, 400, 400],
  'PUT /api/documents/diary/entries/:id': [401, 400, 400, 400, 400],
  'DELETE /api/documents/diary/entries/:id': [401, 400, 400, 400, 400],
  'GET /api/documents/diary.csv': [401, 200, 200, 200, 200],
  'GET /api/documents/diary.json': [401, 200, 200, 200, 200],
  'POST /api/documents/diary/import': [401, 400, 400, 400, 400],
  'GET /api/documents/clinicians': [401, 200, 200, 200, 200],
  'PUT /api/documents/clinicians/:uid': [401, 403, 403, 403, 400],
  'DELETE /api/documents/clinicians/:uid': [401, 403, 403, 403, 404],
  'GET /api/documents/shared-diaries': [401, 404, 404, 404, 404],
  'GET /api/documents/shared-diaries/:uid': [401, 404, 404, 404, 404],
  'GET /api/documents/shared-diaries/:uid/entries': [401, 404, 404, 404, 404],
  'GET /api/documents/shared-diaries/:uid/note': [401, 404, 404, 404, 404],
  'GET /api/documents/diary/shares': [401, 200, 200, 200, 200],
  'POST /api/documents/diary/shares': [401, 400, 400, 400, 400],
  'POST /api/documents/diary/shares/:id/revoke': [401, 400, 400, 400, 400],
  'GET /api/documents/diary/reads': [401, 200, 200, 200, 200],
  'GET /api/documents/diary/notes': [401, 200, 200, 200, 200],
  'PUT /api/documents/diary/notes/:id': [401, 400, 400, 400, 400],
  'POST /api/documents/diary/notes/:id/show': [401, 400, 400, 400, 400],
  'POST /api/documents/diary/notes/:id/close': [401, 400, 400, 400, 400],
  'DELETE /api/documents/diary/notes/:id': [401, 400, 400, 400, 400],
  'GET /api/documents/week': [401, 200, 200, 200, 200],
  'PUT /api/documents/week/:id/days/:day': [401, 400, 400, 400, 400],
  'PUT /api/documents/week/:id/weeks/:monday': [401, 400, 400, 400, 400],
  'GET /api/documents/patients/:uid/assignments': [401, 404, 404, 404, 404],
  'POST /api/documents/patients/:uid/assignments': [401, 404, 404, 404, 404],
  'POST /api/documents/patients/:uid/assignments/:id/withdraw': [401, 404, 404, 404, 404],
  'GET /api/documents/reminder': [401, 200, 200, 200, 200],
  'PUT /api/documents/reminder': [401, 400, 400, 400, 400],
  'POST /api/documents/reminder/test': [401, 409, 409, 409, 409],
  'GET /api/documents/night-practices': [200, 200, 200, 200, 200],
  'GET /api/documents/latest-activities': [401, 403, 403, 200, 200],
  'GET /api/documents/counts': [401, 403, 403, 200, 200],
  'GET /api/documents/operation': [401, 403, 403, 403, 200],
  'POST /api/documents/newsletter': [403, 403, 403, 403, 403],
  'POST /api/documents/newsletter/confirm': [400, 400, 400, 400, 400],
  'POST /api/documents/newsletter/leave': [400, 400, 400, 400, 400],
  'GET /api/documents/newsletter.csv': [401, 403, 403, 403, 200],
  'GET /api/documents/newsletter/issues': [401, 403, 403, 403, 200],
  'POST /api/documents/newsletter/issues': [401, 403, 403, 403, 400],
  'GET /api/documents/newsletter/issues/:id': [401, 403, 403, 403, 404],
  'PUT /api/documents/newsletter/issues/:id': [401, 403, 403, 403, 404],
  'DELETE /api/documents/newsletter/issues/:id': [401, 403, 403, 403, 404],
  'GET /api/documents/newsletter/issues/:id/mail': [401, 403, 403, 403, 404],
  'POST /api/documents/newsletter/issues/:id/test': [401, 403, 403, 403, 428],
  'POST /api/documents/newsletter/issues/:id/send': [401, 403, 403, 403, 404],
  'POST /api/documents/newsletter/issues/:id/pause': [401, 403, 403, 403, 404],
  'POST /api/documents/newsletter/issues/:id/resume': [401, 403, 403, 403, 404],
  'GET /api/documents/newsletter/public-issues/:id': [404, 404, 404, 404, 404],
  // A browser is sent to the page that says what happened.
  'POST /carta/sair/:token': [303, 303, 303, 303, 303],
  'POST /lembrete/sair/:token': [303, 303, 303, 303, 303],
  'POST /api/documents/practice-events': [400, 400, 400, 400, 400],
  'GET /api/documents/practice-totals': [401, 403, 403, 200, 200],

  // These requests have no bearer token; server/storage/files/permissions.test.ts tests them with one.
  'POST /api/storage/objects': [401, 401, 401, 401, 401],
  'DELETE /api/storage/objects': [401, 401, 401, 401, 401],
  'GET /api/storage/metadata': [401, 401, 401, 401, 401],
  'GET /api/storage/download-url': [401, 401, 401, 401, 401],
  'POST /api/storage/resumable': [401, 401, 401, 401, 401],
  'HEAD /api/storage/resumable/:uploadId': [401, 401, 401, 401, 401],
  'PATCH /api/storage/resumable/:uploadId': [401, 401, 401, 401, 401],
  'DELETE /api/storage/resumable/:uploadId': [401, 401, 401, 401, 401],
  'GET /files/*': [404, 404, 404, 404, 404],
  'GET /api/site/content': [200, 200, 200, 200, 200],
  'GET /api/site/draft': [401, 403, 403, 200, 200],
  'PUT /api/site/draft/:section': [401, 403, 403, 404, 404],
  'DELETE /api/site/draft/:section': [401, 403, 403, 404, 404],
  'POST /api/site/preview': [401, 403, 403, 200, 200],
  'GET /previa/*': [404, 404, 404, 404, 404],
  'POST /api/site/publish': [401, 403, 403, 403, 428],
  'GET /api/site/versions': [401, 403, 403, 403, 200],
  'GET /api/site/versions/:version': [401, 403, 403, 403, 400],
  'DELETE /api/site/versions/:version': [401, 403, 403, 403, 400],
  'POST /api/site/versions/:version/restore': [401, 403, 403, 403, 400],
  'GET /robots.txt': [200, 200, 200, 200, 200],
  'GET /sitemap.xml': [200, 200, 200, 200, 200],
  'GET /site.webmanifest': [200, 200, 200, 200, 200],
  'GET /sw.js': [200, 200, 200, 200, 200],
  // No practice has this id, and the version in the URL is not a number.
  'GET /share/practices/:id.png': [404, 404, 404, 404, 404],
  'GET /share/:version.png': [404, 404, 404, 404, 404],
  'GET /*': [404, 404, 404, 404, 404],

  // This row must be the last one, because it signs the caller out.
  'POST /api/auth/sign-out': [204, 204, 204, 204, 204],
};

/** These routes need a JSON body. */
const withBody = new Set([
  'PATCH /api/documents/users/:uid',
  'PUT /api/documents/activities/:list',
  'PUT /api/documents/activities/:list/order',
  'POST /api/documents/activities/:list/items',
  'PUT /api/documents/activities/:list/items/:id',
  'PUT /api/documents/favourites/:id',
]);

/** The cells of docs/permissions.md: visitor, patient, member, editor, admin. */
const cellsOf: Record<Permission, string[]> = {
  everyone: ['yes', 'yes', 'yes', 'yes', 'yes'],
  'everyone-known': ['yes', 'yes', 'yes', 'yes', 'yes'],
  'signed-in': ['', 'yes', 'yes', 'yes', 'yes'],
  editor: ['', '', '', 'yes', 'yes'],
  admin: ['', '', '', '', 'yes'],
  clinician: ['', '', '', '', 'clinician'],
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
      for (const [row, expected] of Object.entries(expectedResponses)) {
        const [method = '', url = ''] = row.split(' ');
        const path = url
          .replace(':uid', stranger.uid)
          .replace(':list', 'mindActsList')
          .replace(':id', 'nenhuma')
          .replace('*', 'nada');
        const sent = withBody.has(row) && { headers: { 'content-type': 'application/json' }, body: '{}' };
        const statuses = [];
        for (const role of roles)
          statuses.push((await callers[role].fetch(path, { method, redirect: 'manual', ...sent })).status);
        assert.deepEqual(statuses, expected, row);
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
