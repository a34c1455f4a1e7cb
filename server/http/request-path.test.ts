import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestServer } from '../testing/server.ts';

it('refuses a path of more than a kilobyte before routing, for every method', async (t) => {
  const { url, origin, visitor } = await startTestServer(t, 'sqlite', { services: ['auth', 'site'] });
  const slashes = `/a${'/'.repeat(12_000)}b`;
  for (const method of ['GET', 'POST', 'DELETE']) {
    const response = await fetch(url + slashes, { method, headers: { origin } });
    assert.equal(response.status, 414, method);
    assert.equal(((await response.json()) as { code: string }).code, 'request/path-too-long');
  }
  assert.equal((await visitor.fetch(`/${'/'.repeat(1_000)}`)).status, 200);
});

it('accepts a long query, because search engines and sign-in providers add parameters', async (t) => {
  const { visitor } = await startTestServer(t, 'sqlite', { services: ['auth', 'site'] });
  assert.equal((await visitor.fetch(`/about?utm=${'x'.repeat(8_000)}`)).status, 200);
});
