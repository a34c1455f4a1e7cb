import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import PQueue from 'p-queue';
import { appCheckHeader } from '#contract/app-check.ts';
import { paths } from '#contract/paths.ts';
import { protectTokens } from '../database/migrations/033-version-0-2.ts';
import { codeOf } from '../testing/authenticator.ts';
import { beginSession, signedCookie } from '../testing/cookies.ts';
import { databaseKinds } from '../testing/databases.ts';
import { tokenIn } from '../testing/peers/mailbox.ts';
import { png } from '../testing/pictures.ts';
import { startTestServer, type TestServer, visitorAt } from '../testing/server.ts';
import { storageOf } from '../testing/storage.ts';
import { findFirstAdminToken } from './first-admin.ts';

/**
 * Uses a value as a token, and returns the status of the response. If the server refuses the value, the
 * status is from 400 to 499.
 */
type Use = (value: string) => Promise<number>;

const json = { 'content-type': 'application/json' };

for (const kind of databaseKinds) {
  it(`a copied database and the secret open nothing, on ${kind}`, async (t) => {
    const server = await startTestServer(t, kind, { environment: { TRUSTED_PROXIES: 'loopback' } });
    const { tokens, uri, picture } = await fillWithTokens(server);
    const uses = usesOf(server, uri, picture);

    // Leave out the file's token, because users' records contain it in plain text, as part of the file's URL.
    const { token: fileToken } = await server.database
      .selectFrom('files')
      .select('token')
      .executeTakeFirstOrThrow();
    const values = (await valuesOf(server)).filter((value) => value !== fileToken);
    assert.ok(values.length > 50);
    // Several at once, because some responses wait for an even time.
    const queue = new PQueue({ concurrency: 8 });
    for (const [name, use] of Object.entries(uses))
      await queue.addAll(
        values.map((value) => async () => {
          const status = await use(value);
          assert.ok(status >= 400 && status < 500, `${name} accepts ${value}: ${status}`);
        }),
      );

    // Checks that each of these uses accepts its real token.
    for (const [name, token] of Object.entries(tokens))
      assert.ok(((await uses[name]?.(token)) ?? 500) < 300, `${name} with its own token`);
  });
}

/** Makes one token of each kind. @returns the tokens by the name of their use */
async function fillWithTokens(server: TestServer) {
  const firstAdmin = await findFirstAdminToken(server);
  const ana = await server.join();
  await ana.client.auth.requestPasswordReset(ana.email);
  await ana.client.documents.subscribeToNewsletter(ana.email);
  // Another user, because the proof of an address ends the other links of its account.
  const caio = await server.join();
  await caio.client.auth.sendVerificationEmail();
  const path = `profilePics/${ana.uid}/foto`;
  const storage = storageOf(ana);
  assert.equal((await storage.upload(path, await png())).status, 204);
  const mails = await server.mails();
  const mail = (subject: string) =>
    mails.find((one) => one.subject?.startsWith(subject)) ?? assert.fail(`no mail ${subject}`);
  const session = await beginSession(server, ana);

  // `join` makes the admin, because the link for the first admin must stay unused. The link works only while
  // there is no admin, so the role is removed below.
  const bia = await server.join('admin');
  const { uri } = await bia.client.auth.beginSecondFactor({ password: bia.password });
  await bia.client.auth.confirmSecondFactor(codeOf(uri));
  await server.database.updateTable('users').set({ member: 'no' }).execute();
  const signIn = await fetch(server.url + paths.auth.signIn, {
    method: 'POST',
    headers: { ...json, origin: server.origin },
    body: JSON.stringify({ email: bia.email, password: bia.password }),
  });
  const [pending = ''] = signIn.headers
    .getSetCookie()
    .filter((line) => line.startsWith('acolhe.two_factor='));
  const [, pendingValue = ''] = /=([^;]*)/.exec(pending) ?? [];

  return {
    uri,
    picture: path,
    tokens: {
      session: session.token,
      pendingSignIn: decodeURIComponent(pendingValue).split('.')[0] ?? '',
      firstAdmin: firstAdmin ?? '',
      newsletter: /\/carta\/confirmar#(\S+)/.exec(mail('Confirme que').text ?? '')?.[1] ?? '',
      verification: tokenIn(mail('Confirme o seu')),
      reset: /nova-senha#(\S+)/.exec(mail('Criar uma nova senha').text ?? '')?.[1] ?? '',
    },
  };
}

/**
 * Returns the ways to use a token: in a cookie with the server's signature, as a bearer token, in links and
 * in headers.
 */
function usesOf(server: TestServer, uri: string, picture: string): Record<string, Use> {
  let attempts = 0;
  /** Sends each request from a different IP address, so that no rate limit refuses it first. */
  const send = async (path: string, init: RequestInit = {}, cookie = '') => {
    attempts += 1;
    const response = await fetch(server.url + path, {
      ...init,
      headers: {
        origin: server.origin,
        'x-forwarded-for': `10.1.${attempts >> 8}.${attempts & 255}`,
        ...(cookie && { cookie }),
        ...init.headers,
      },
    });
    await response.arrayBuffer();
    return response.status;
  };
  const post = (path: string, body: unknown, cookie?: string) =>
    send(path, { method: 'POST', headers: json, body: JSON.stringify(body) }, cookie);
  const { authSecret } = server;
  const visitor = visitorAt(server.url);
  const joined = server.join();

  return {
    session: (value) => send(paths.auth.sessions, {}, signedCookie('acolhe-session', value, authSecret)),
    pendingSignIn: (value) =>
      post(
        paths.auth.secondFactorVerify,
        { code: codeOf(uri, 1) },
        signedCookie('acolhe.two_factor', value, authSecret),
      ),
    bearer: (value) =>
      send(paths.storage.metadata(picture), { headers: { authorization: `Bearer ${safe(value)}` } }),
    file: (value) => send(paths.storage.file(picture, value)),
    appCheck: (value) =>
      send(paths.documents.newsletter, {
        method: 'POST',
        headers: { ...json, [appCheckHeader]: safe(value) },
        body: JSON.stringify({ email: 'x@exemplo.com.br', consent: true }),
      }),
    firstAdmin: async (value) =>
      (
        await (
          await joined
        ).fetch(paths.auth.firstAdmin, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ token: value }),
        })
      ).status,
    newsletter: (value) => post(paths.documents.newsletterConfirm, { token: value }),
    newsletterLeave: (value) => post(paths.documents.newsletterLeave, { token: value }),
    verification: async (value) =>
      (
        await visitor.fetch(paths.auth.verifyEmail, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ token: value, password: 'novasenha99' }),
        })
      ).status,
    reset: (value) => post(paths.auth.resetPassword, { token: value, password: 'novasenha99' }),
  };
}

/** Removes the characters that headers do not allow. */
const safe = (value: string) => value.replace(/[^\x21-\x7e]/g, '');

/**
 * Returns all string values in all tables, and the parts between their separators, except those too short to
 * be a token.
 */
async function valuesOf({ database }: TestServer): Promise<string[]> {
  const values = new Set<string>();
  for (const { name } of await database.introspection.getTables()) {
    if (name.startsWith('usersSearch')) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(database);
    for (const value of rows.flatMap((row) => Object.values(row)))
      if (typeof value === 'string') for (const text of [value, ...value.split(/[^\w.-]+/)]) values.add(text);
  }
  return [...values].filter((value) => value.length >= 8);
}

describe('the migration of tokens', () => {
  for (const kind of databaseKinds)
    it(`keeps open sessions and mailed links valid, on ${kind}`, async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const { cookie, token } = await beginSession(server, ana);
      await server.visitor.client.auth.requestPasswordReset(ana.email);
      const [mail] = await server.mails();
      const [, reset = ''] = /nova-senha#(\S+)/.exec(mail?.text ?? '') ?? [];
      const status = async () => {
        const response = await fetch(server.url + paths.auth.sessions, { headers: { cookie } });
        await response.arrayBuffer();
        return response.status;
      };
      assert.equal(await status(), 200);
      // Stores the tokens in plain text, as an earlier version of the program did.
      const { database } = server;
      const { id } = await database
        .selectFrom('sessions')
        .select('id')
        .orderBy('createdAt', 'desc')
        .executeTakeFirstOrThrow();
      await database.updateTable('sessions').set({ token }).where('id', '=', id).execute();
      await database
        .updateTable('verifications')
        .set({ identifier: `reset-password:${reset}` })
        .execute();
      await database
        .updateTable('accounts')
        .set({ accessToken: 'a', refreshToken: 'b', idToken: 'c' })
        .execute();
      const others = await database.selectFrom('sessions').select('id').where('id', '!=', id).execute();
      assert.equal(others.length, 1);
      assert.equal(await status(), 401);

      await protectTokens(database);
      assert.equal(await status(), 200);
      const { accessToken, refreshToken, idToken } = await database
        .selectFrom('accounts')
        .selectAll()
        .executeTakeFirstOrThrow();
      assert.deepEqual([accessToken, refreshToken, idToken], [null, null, null]);
      await server.visitor.client.auth.resetPassword({ token: reset, password: 'novasenha99' });
    });
});
