import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { fromAnyOrigin, permissions } from '../permissions.ts';
import { startTestServer, visitorAt } from '../testing/server.ts';

const json = { 'content-type': 'application/json' };

describe('origin of changes', { concurrency: true }, () => {
  it('is checked on every changing route: foreign or missing origins are refused', async (t) => {
    const server = await startTestServer(t, 'sqlite', { services: ['auth', 'documents', 'storage', 'site'] });
    const { email, password } = await server.join('admin');
    const signIn = await fetch(server.url + paths.auth.signIn, {
      method: 'POST',
      headers: { ...json, origin: server.origin },
      body: JSON.stringify({ email, password }),
    });
    const cookie = signIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const foreign = ['null', 'https://outro.com.br', 'http://localhost:3001', 'http://localhost.evil.com'];
    const changes = Object.keys(permissions).filter(
      (row) => !/^(?:GET|HEAD) /.test(row) && !fromAnyOrigin.has(row),
    );
    assert.ok(changes.length > 15);
    for (const row of changes) {
      const [method = '', url = ''] = row.split(' ');
      const path = url.replace(':list', 'mindActsList').replace(/:\w+/g, 'x');
      for (const origin of [undefined, ...foreign]) {
        const headers = { cookie, ...json, ...(origin && { origin }) };
        const response = await fetch(server.url + path, { method, headers, body: '{}' });
        assert.equal(response.status, 403, `${row} from ${origin}`);
        assert.equal(((await response.json()) as { code: string }).code, 'request/foreign-origin');
        assert.equal(response.headers.get('access-control-allow-origin'), null);
      }
    }
    assert.ok(
      (await fetch(server.url + paths.auth.sessions, { headers: { cookie } })).ok,
      'nothing has happened',
    );
  });

  it('may be any loopback name while the site is at localhost', async (t) => {
    const server = await startTestServer(t, 'sqlite');
    const { email, password } = await server.join();
    for (const site of ['http://127.0.0.1:3000', 'http://[::1]:3000'])
      await visitorAt(server.url, site).client.auth.signIn({ email, password });
  });

  it('may be any loopback name where each service has its own port', async (t) => {
    const server = await startTestServer(t, 'sqlite', { services: ['auth'] });
    const readers = {
      'http://localhost:3000': true,
      'http://127.0.0.1:3000': true,
      'http://[::1]:3000': true,
      'http://localhost:3001': false,
      'http://127.0.0.2:3000': false,
      'https://localhost:3000': false,
      'http://localhost.evil.com:3000': false,
    };
    for (const [origin, may] of Object.entries(readers)) {
      const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } };
      for (const init of [preflight, { headers: { origin } }]) {
        const { headers } = await fetch(server.url + paths.auth.session, init);
        assert.equal(headers.get('access-control-allow-origin'), may ? origin : null, origin);
      }
    }
  });
});
