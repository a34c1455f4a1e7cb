import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fastify from 'fastify';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { startMailbox, tokenIn } from '../testing/peers/mailbox.ts';
import { startTestServer, type TestServer, visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { createAfterResponse } from './after-response.ts';
import { AppError } from './errors.ts';

const json = { 'content-type': 'application/json' };
const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'calmaria2025x' };

/** Starts a server with one route, which queues `work` to run after its response. */
async function startApp(t: TestContext, work: () => Promise<unknown>) {
  const logged: object[] = [];
  const afterResponse = createAfterResponse({
    warn: () => {},
    error: (content: object) => logged.push(content),
  });
  const app = fastify();
  t.after(() => app.close());
  app.get('/', async (_request, reply) => {
    afterResponse.add(reply, 'test', work);
    return 'response';
  });
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof AppError && error.code === 'server/unavailable' ? 503 : 500).send(),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { afterResponse, logged, port, ask: async () => (await fetch(`http://127.0.0.1:${port}/`)).status };
}

async function ask(server: TestServer, where: string, body: object) {
  const { visitor } = server;
  const response = await visitor.fetch(where, {
    method: 'POST',
    headers: { ...json, ...(await visitor.appCheck()) },
    body: JSON.stringify(body),
  });
  const { requestId: _, ...rest } = JSON.parse((await response.text()) || '{}') as Record<string, unknown>;
  const names = [...response.headers.keys()].sort();
  const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '=…'));
  return { status: response.status, body: rest, names, cookies };
}

describe('work after a response', () => {
  it('begins after the response, with limited concurrency; a full queue refuses jobs', async (t) => {
    const gate = Promise.withResolvers<void>();
    let [underWay, most, done] = [0, 0, 0];
    const { afterResponse, ask } = await startApp(t, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await gate.promise;
      underWay -= 1;
      done += 1;
    });
    const statuses: number[] = [];
    for (let index = 0; index < 101; index += 1) statuses.push(await ask());
    assert.deepEqual(
      statuses.map((status) => status === 200),
      Array.from({ length: 101 }, (_, index) => index < 100),
    );
    assert.equal(statuses.at(-1), 503);
    const idle = afterResponse.idle();
    gate.resolve();
    await idle;
    assert.equal(most, 8);
    assert.equal(done, 100);
    assert.equal(await ask(), 200, 'the queue has space again');
    await afterResponse.idle();
  });

  it('logs a failed job without email addresses, and continues', async (t) => {
    const { afterResponse, logged, ask } = await startApp(t, () =>
      Promise.reject(new Error('550 <ana.lucia+x@exemplo.com.br>: rejected, (email)=(bia@exemplo.com.br)')),
    );
    assert.equal(await ask(), 200);
    await afterResponse.idle();
    assert.equal(logged.length, 1);
    assert.doesNotMatch(JSON.stringify(logged), /exemplo|ana|bia/);
    assert.equal(await ask(), 200);
    await afterResponse.idle();
  });

  it('runs even when the client has already disconnected', async (t) => {
    const done = Promise.withResolvers<void>();
    const { port } = await startApp(t, async () => done.resolve());
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n', () => socket.destroy());
    await done.promise;
  });
});

for (const kind of databaseKinds) {
  describe(`responses that do not reveal accounts on ${kind}`, { concurrency: true }, () => {
    it('are the same for every email address, and do not wait for the mail server', async (t) => {
      const gate = Promise.withResolvers<void>();
      t.after(() => gate.resolve());
      const mailbox = await startMailbox({ beforeResponse: () => gate.promise });
      t.after(() => mailbox.stop());
      const server = await startTestServer(t, kind, {
        environment: { SMTP_URL: mailbox.url, REQUIRE_VERIFIED_EMAIL: 'true' },
      });
      const unknown = 'ninguem@exemplo.com.br';
      const { email, password } = account;
      const signUps = [await ask(server, paths.auth.signUp, account)];
      const token = tokenIn(await mailbox.take(email));
      await visitorAt(server.url).client.auth.verifyEmail({ token, password });
      signUps.push(await ask(server, paths.auth.signUp, account));
      await mailbox.take(email);
      assert.equal(signUps[0]?.status, 403);
      assert.equal(signUps[0]?.body.code, 'auth/email-not-verified');
      assert.deepEqual(signUps[0], signUps[1]);

      const resets = [];
      for (const email of [account.email, unknown])
        resets.push(await ask(server, paths.auth.requestPasswordReset, { email }));
      await mailbox.take(account.email);
      assert.equal(resets[0]?.status, 202);
      assert.deepEqual(resets[0], resets[1]);

      const newsletters = [];
      for (const email of [unknown, unknown])
        newsletters.push(await ask(server, paths.documents.newsletter, { email, consent: true }));
      await mailbox.take(unknown);
      assert.equal(newsletters[0]?.status, 202);
      assert.deepEqual(newsletters[0], newsletters[1]);

      await server.database.updateTable('users').set({ emailVerified: false }).execute();
      const signIn = await ask(server, paths.auth.signIn, { email, password });
      assert.equal(signIn.body.code, 'auth/email-not-verified');
      await mailbox.take(email);
    });

    it('leave a quarter of a second after the request, or two, and so on', async (t) => {
      const server = await startTestServer(t, kind, { environment: { REQUIRE_VERIFIED_EMAIL: 'true' } });
      const { email } = account;
      for (const [where, body] of [
        [paths.auth.signUp, account],
        [paths.auth.signIn, { email, password: 'senhaErrada1' }],
        [paths.auth.requestPasswordReset, { email }],
        [paths.documents.newsletter, { email, consent: true }],
      ] as const) {
        const headers = { ...json, ...(await server.visitor.appCheck()) };
        const begun = performance.now();
        await server.visitor.fetch(where, { method: 'POST', headers, body: JSON.stringify(body) });
        assert.ok(performance.now() - begun >= 249, where);
      }
    });

    it('count all email addresses of one mailbox together', async (t) => {
      const server = await startTestServer(t, kind, { environment: { REQUIRE_VERIFIED_EMAIL: 'true' } });
      for (let index = 0; index < 8; index += 1)
        await ask(server, paths.auth.signUp, { ...account, email: `ana+${index}@exemplo.com.br` });
      assert.equal((await server.mails()).length, 5);
    });
  });
}

describe('a server that mails after its responses', () => {
  it('sends queued mails before it stops', async (t) => {
    const mailbox = await startMailbox({
      beforeResponse: () => new Promise((resolve) => setTimeout(resolve, 300)),
    });
    t.after(() => mailbox.stop());
    const server = await startServer(t, { SMTP_URL: mailbox.url });
    const { client } = visitorAt(server.url, server.url);
    await client.auth.signUp(account);
    await client.auth.requestPasswordReset(account.email);
    await server.stop();
    assert.match((await mailbox.take(account.email)).subject ?? '', /^Criar uma nova senha/);
  });

  it('logs no email address when the mail server refuses one', async (t) => {
    const mailbox = await startMailbox({ refuses: true });
    t.after(() => mailbox.stop());
    const server = await startServer(t, { SMTP_URL: mailbox.url, LOG_LEVEL: 'info' });
    const { client } = visitorAt(server.url, server.url);
    await client.auth.signUp(account);
    await client.auth.requestPasswordReset(account.email);
    await client.documents.subscribeToNewsletter(account.email);
    await assert.rejects(client.auth.sendVerificationEmail());
    await server.stop();
    for (const mail of ['password-reset', 'newsletter', 'verification'])
      assert.ok(server.log().includes(`"kind":"${mail}"`), mail);
    assert.doesNotMatch(server.log(), /ana@/);
  });
});

async function startServer(t: TestContext, environment: Record<string, string>) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-after-'));
  const server = await startServerProcess(dataDir, environment);
  t.after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  return server;
}
