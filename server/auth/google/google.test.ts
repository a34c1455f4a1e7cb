import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { paths } from '#contract/paths.ts';
import type { DatabaseKind } from '#server/database/connect.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { startTestServer, type TestUser, visitorAt } from '#server/testing/server.ts';

const claims = { sub: 'google-1', email: 'ana@exemplo.com.br', email_verified: true, name: 'Ana de Souza' };

/** Starts a real OpenID provider on loopback, and a server that uses it. */
async function startBoth(t: TestContext, kind: DatabaseKind) {
  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  t.after(() => provider.stop());
  const { port } = provider.address() as AddressInfo;
  provider.issuer.url = `http://127.0.0.1:${port}`;
  const server = await startTestServer(t, kind, {
    environment: {
      GOOGLE_CLIENT_ID: 'clinica',
      GOOGLE_CLIENT_SECRET: 'segredo',
      GOOGLE_DISCOVERY_URL: `${provider.issuer.url}/.well-known/openid-configuration`,
    },
  });
  /** Changes every ID token before it is signed. */
  const sign = (change: (token: MutableToken) => void) => {
    provider.service.removeAllListeners('beforeTokenSigning');
    provider.service.on('beforeTokenSigning', change);
  };
  sign(({ payload }) => Object.assign(payload, claims));
  return { server, provider, sign };
}

/** Follows the redirects to the provider and back. `way` is the callback's path, `landed` its redirect. */
async function goThrough(user: TestUser, url: string) {
  const start = await user.fetch(paths.auth.google, { redirect: 'manual' });
  assert.equal(start.status, 303);
  const authorize = new URL(start.headers.get('location') ?? '');
  const response = await fetch(authorize, { redirect: 'manual' });
  const back = new URL(response.headers.get('location') ?? '');
  const way = back.pathname + back.search;
  assert.equal(back.origin, 'http://localhost:3000');
  const finish = await user.fetch(way, { redirect: 'manual' });
  const cookies = finish.headers.getSetCookie();
  return { authorize, way, url, landed: finish.headers.get('location'), cookies };
}

for (const kind of databaseKinds) {
  describe(`Google on ${kind}`, { concurrency: true }, () => {
    it('lets one IP address begin sixty sign-ins an hour, because each one inserts a row', async (t) => {
      const { server } = await startBoth(t, kind);
      const begin = async () =>
        (await server.visitor.fetch(paths.auth.google, { redirect: 'manual' })).headers.get('location') ?? '';
      for (let count = 0; count < 60; count += 1) assert.match(await begin(), /^http/);
      for (let count = 0; count < 3; count += 1)
        assert.equal(await begin(), '/entrar-com-google?erro=falhou');
      const rows = await server.database.selectFrom('verifications').select('id').execute();
      assert.equal(rows.length, 60);
    });

    it('signs up a new user and writes the record of the specification', async (t) => {
      const { server } = await startBoth(t, kind);
      const { client } = server.visitor;
      assert.deepEqual(await client.auth.findMethods(), { google: true });
      const { authorize, landed, cookies } = await goThrough(server.visitor, server.url);
      assert.equal(landed, '/entrar-com-google');
      assert.ok(
        cookies.some((line) => line.startsWith('acolhe-known=')),
        'strangers cannot lock the account',
      );
      for (const name of ['state', 'nonce', 'code_challenge'])
        assert.ok(authorize.searchParams.get(name), name);
      assert.equal(authorize.searchParams.get('code_challenge_method'), 'S256');
      const session = await client.auth.findSession();
      assert.equal(session?.user.emailVerified, true);
      assert.deepEqual(await client.documents.getUser(session?.user.uid ?? ''), {
        id: session?.user.uid,
        displayName: claims.name,
        email: claims.email,
        research: false,
        member: false,
        staff: false,
        profilePic: false,
        category: 'patient',
      });
    });

    it('updates the name and keeps category and member when a user signs in again', async (t) => {
      const { server, sign } = await startBoth(t, kind);
      const { client } = server.visitor;
      await goThrough(server.visitor, server.url);
      const uid = (await client.auth.findSession())?.user.uid ?? '';
      await server.database
        .updateTable('users')
        .set({ category: 'staff', member: 'member', displayName: 'Outro' })
        .where('id', '=', uid)
        .execute();
      sign(({ payload }) => Object.assign(payload, claims, { name: 'Ana Souza Lima' }));
      const phone = visitorAt(server.url);
      await goThrough(phone, server.url);
      const record = await phone.client.documents.getUser(uid);
      assert.ok(record);
      assert.deepEqual(
        [record.displayName, record.category, record.member],
        ['Ana Souza Lima', 'staff', true],
      );
      const users = await server.database.selectFrom('users').select('id').execute();
      assert.equal(users.length, 1);
    });

    it('never links to an account whose e-mail is not verified', async (t) => {
      const { server } = await startBoth(t, kind);
      const owner = visitorAt(server.url);
      await owner.client.auth.signUp({ displayName: 'Ana', email: claims.email, password: 'senha12345' });
      const { landed } = await goThrough(server.visitor, server.url);
      assert.equal(landed, '/entrar-com-google?erro=outra-conta');
      assert.equal(await server.visitor.client.auth.findSession(), undefined);
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      assert.equal((await goThrough(server.visitor, server.url)).landed, '/entrar-com-google');
      const session = await server.visitor.client.auth.findSession();
      assert.equal(session?.user.uid, (await owner.client.auth.findSession())?.user.uid);
    });

    const wrong: Record<string, (token: MutableToken) => void> = {
      'another audience': ({ payload }) => Object.assign(payload, claims, { aud: 'outro' }),
      'another issuer': ({ payload }) => Object.assign(payload, claims, { iss: 'https://outro.com.br' }),
      'an expired time': ({ payload }) => Object.assign(payload, claims, { exp: 1_000 }),
      'another nonce': ({ payload }) => Object.assign(payload, claims, { nonce: 'outro' }),
      'no nonce': ({ payload }) => {
        Object.assign(payload, claims);
        delete payload.nonce;
      },
      'no subject': ({ payload }) => {
        Object.assign(payload, claims);
        delete payload.sub;
      },
    };
    for (const [what, change] of Object.entries(wrong)) {
      it(`refuses an ID token with ${what}`, async (t) => {
        const { server, sign } = await startBoth(t, kind);
        sign(change);
        const { landed } = await goThrough(server.visitor, server.url);
        assert.match(String(landed), /^\/entrar-com-google\?erro=/);
        assert.equal(await server.visitor.client.auth.findSession(), undefined);
        assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      });
    }

    it('refuses an ID token without a signature, or signed with a secret instead of the key', async (t) => {
      const { server, provider } = await startBoth(t, kind);
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      for (const alg of ['none', 'HS256']) {
        provider.service.removeAllListeners('beforeResponse');
        provider.service.on('beforeResponse', (response: { body: Record<string, unknown> | '' }) => {
          if (typeof response.body !== 'object' || typeof response.body.id_token !== 'string') return;
          const [, payload] = response.body.id_token.split('.');
          const text = `${part({ alg, typ: 'JWT' })}.${payload}`;
          const signature =
            alg === 'none' ? '' : createHmac('sha256', 'segredo').update(text).digest('base64url');
          response.body.id_token = `${text}.${signature}`;
        });
        const { landed } = await goThrough(server.visitor, server.url);
        assert.match(String(landed), /\?erro=/, alg);
      }
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
    });

    it('refuses a callback that is replayed, or that another browser began', async (t) => {
      const { server } = await startBoth(t, kind);
      const { way } = await goThrough(server.visitor, server.url);
      const thief = visitorAt(server.url);
      const replays = [
        await server.visitor.fetch(way, { redirect: 'manual' }),
        await thief.fetch(way, { redirect: 'manual' }),
      ];
      for (const replay of replays) assert.match(String(replay.headers.get('location')), /\?erro=/);
      assert.equal(await thief.client.auth.findSession(), undefined);
      const start = await server.visitor.fetch(paths.auth.google, { redirect: 'manual' });
      const response = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
      const fresh = new URL(response.headers.get('location') ?? '');
      const stolen = await thief.fetch(fresh.pathname + fresh.search, { redirect: 'manual' });
      assert.match(String(stolen.headers.get('location')), /\?erro=/);
      assert.equal(await thief.client.auth.findSession(), undefined);
    });

    it('does not bypass the second factor of an account', async (t) => {
      const { server } = await startBoth(t, kind);
      await goThrough(server.visitor, server.url);
      const { client } = server.visitor;
      const uid = (await client.auth.findSession())?.user.uid ?? '';
      await server.database
        .updateTable('users')
        .set({ twoFactorEnabled: true })
        .where('id', '=', uid)
        .execute();
      const phone = visitorAt(server.url);
      assert.equal((await goThrough(phone, server.url)).landed, '/entrar-com-google?erro=segundo-fator');
      assert.equal(await phone.client.auth.findSession(), undefined);
      const sessions = await server.database.selectFrom('sessions').select('id').execute();
      assert.equal(sessions.length, 1);
    });

    it('reports that the user cancelled', async (t) => {
      const { server } = await startBoth(t, kind);
      const start = await server.visitor.fetch(paths.auth.google, { redirect: 'manual' });
      const state = new URL(start.headers.get('location') ?? '').searchParams.get('state');
      const way = `${paths.auth.googleCallback}?error=access_denied&state=${state}`;
      const finish = await server.visitor.fetch(way, { redirect: 'manual' });
      assert.equal(finish.headers.get('location'), '/entrar-com-google?erro=cancelado');
    });

    it('reports that the provider is unreachable, and works once it is back', async (t) => {
      const { server, provider } = await startBoth(t, kind);
      const { port } = provider.address() as AddressInfo;
      await provider.stop();
      const start = await server.visitor.fetch(paths.auth.google, { redirect: 'manual' });
      assert.equal(start.headers.get('location'), '/entrar-com-google?erro=falhou');
      await provider.start(port, '127.0.0.1');
      assert.equal((await goThrough(server.visitor, server.url)).landed, '/entrar-com-google');
    });
  });
}
