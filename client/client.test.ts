import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { createClient } from './client.ts';
import { ClientError } from './client-error.ts';
import { createCookieFetch } from './cookie-fetch.ts';

/** Starts a server that gives every request the same response, like a failing proxy. */
async function startPeer(t: TestContext, status: number, body: string, headers: Record<string, string> = {}) {
  const seen: { cookie: string | undefined; origin: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ cookie: request.headers.cookie, origin: request.headers.origin });
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

it('throws one kind of error, with code, message, status and request id', async (t) => {
  const body = JSON.stringify({ code: 'auth/forbidden', message: 'Não pode.', requestId: 'r1' });
  const { url } = await startPeer(t, 403, body);
  await assert.rejects(createClient({ documents: url }).documents.getCounts(), (error: unknown) => {
    assert.ok(error instanceof ClientError);
    const { code, message, status, requestId, issues } = error;
    assert.deepEqual(
      { code, message, status, requestId, issues },
      { code: 'auth/forbidden', message: 'Não pode.', status: 403, requestId: 'r1', issues: [] },
    );
    return true;
  });
});

it('never shows the user the page of a failing proxy', async (t) => {
  const { url } = await startPeer(t, 502, '<html>Bad gateway</html>');
  await assert.rejects(createClient({ auth: url }).auth.findSession(), (error: unknown) => {
    assert.ok(error instanceof ClientError);
    assert.equal(error.code, 'client/unreadable');
    assert.equal(error.status, 502);
    assert.ok(!error.message.includes('html'));
    return true;
  });
});

it('distinguishes a missing connection from an abort', async () => {
  const { auth } = createClient({ auth: 'http://127.0.0.1:1' });
  await assert.rejects(
    auth.findSession(),
    (error) => error instanceof ClientError && error.code === 'client/offline',
  );
  const reason = new Error('another page');
  await assert.rejects(auth.findSession(AbortSignal.abort(reason)), reason);
});

it('outside a browser, stores cookies, deletes expired ones and sends its origin', async (t) => {
  const origin = 'http://localhost:3000';
  const first = await startPeer(t, 200, 'null', { 'set-cookie': 'a=1; HttpOnly' });
  const second = await startPeer(t, 200, 'null', { 'set-cookie': 'a=; Max-Age=0' });
  const fetch = createCookieFetch(origin);
  for (const url of [first.url, second.url, second.url])
    await createClient({ auth: url, fetch }).auth.findSession();
  assert.deepEqual(first.seen, [{ cookie: undefined, origin }]);
  assert.deepEqual(second.seen, [
    { cookie: 'a=1', origin },
    { cookie: undefined, origin },
  ]);
});
