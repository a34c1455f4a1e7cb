import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { paths } from '#contract/paths.ts';
import type { DatabaseKind } from '#server/database/connect.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { startTestServer, type TestServer, type TestUser, visitorAt } from '#server/testing/server.ts';

const claims = { sub: 'google-1', email: 'ana@exemplo.com.br', email_verified: true, name: 'Ana de Souza' };

/** Starts a real OpenID provider on loopback, and a server that uses it. */
async function startBoth(t: TestContext, kind: DatabaseKind, settings: Record<string, string> = {}) {
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
      ...settings,
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
async function goThrough(user: TestUser, url: string, path: string = paths.auth.google) {
  const start = await user.fetch(path, { redirect: 'manual' });
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
      'an empty subject': ({ payload }) => Object.assign(payload, claims, { sub: ' ' }),
      'no email address': ({ payload }) => {
        Object.assign(payload, claims);
        delete payload.email;
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

    it('refuses a response without an ID token', async (t) => {
      const { server, provider } = await startBoth(t, kind);
      provider.service.on('beforeResponse', (response: { body: Record<string, unknown> | '' }) => {
        if (typeof response.body === 'object') delete response.body.id_token;
      });
      provider.service.on('beforeUserinfo', (response: { body: object }) => {
        response.body = claims;
      });
      const { landed } = await goThrough(server.visitor, server.url);
      assert.equal(landed, '/entrar-com-google?erro=falhou');
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
    });

    it('creates nothing for an unverified email address where verified ones are required', async (t) => {
      const { server, sign } = await startBoth(t, kind, { REQUIRE_VERIFIED_EMAIL: 'true' });
      for (const verified of [false, 'false', undefined]) {
        sign(({ payload }) => Object.assign(payload, claims, { email_verified: verified }));
        const { landed } = await goThrough(server.visitor, server.url);
        assert.equal(landed, '/entrar-com-google?erro=email-nao-confirmado');
      }
      assert.equal(await server.visitor.client.auth.findSession(), undefined);
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      // An account whose address is already verified belongs to the same user of Google.
      sign(({ payload }) => Object.assign(payload, claims));
      await goThrough(server.visitor, server.url);
      sign(({ payload }) => Object.assign(payload, claims, { email_verified: false }));
      assert.equal((await goThrough(visitorAt(server.url), server.url)).landed, '/entrar-com-google');
    });

    it('stores no token of Google', async (t) => {
      const { server } = await startBoth(t, kind);
      // The first sign-in creates the account, the second one updates it.
      for (const user of [server.visitor, visitorAt(server.url)]) {
        await goThrough(user, server.url);
        const accounts = await server.database.selectFrom('accounts').selectAll().execute();
        assert.equal(accounts.length, 1);
        for (const { accessToken, refreshToken, idToken } of accounts)
          assert.deepEqual([accessToken, refreshToken, idToken], [null, null, null]);
      }
    });

    it('keeps the name that the user has changed and the picture that the user has removed', async (t) => {
      const { server, sign } = await startBoth(t, kind);
      sign(({ payload }) =>
        Object.assign(payload, claims, { picture: 'https://fotos.exemplo.com.br/a.png' }),
      );
      const { client } = server.visitor;
      await goThrough(server.visitor, server.url);
      const uid = (await client.auth.findSession())?.user.uid ?? '';
      const exported = async () => {
        const { user, nameFromGoogle, pictureFromGoogle } = await client.documents.exportAccount();
        return [user.displayName, user.profilePic !== false, nameFromGoogle, pictureFromGoogle];
      };
      assert.deepEqual(await exported(), [claims.name, true, true, true]);
      await client.documents.updateUser(uid, { displayName: 'Aninha' });
      await client.documents.updateUser(uid, { profilePic: false });
      await goThrough(visitorAt(server.url), server.url);
      assert.deepEqual(await exported(), ['Aninha', false, false, false]);
    });

    it('keeps the name of a sign-up with a password when Google is linked later', async (t) => {
      const { server } = await startBoth(t, kind);
      const owner = visitorAt(server.url);
      await owner.client.auth.signUp({ displayName: 'Aninha', email: claims.email, password: 'senha12345' });
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      assert.equal((await goThrough(server.visitor, server.url)).landed, '/entrar-com-google');
      const { user, nameFromGoogle } = await owner.client.documents.exportAccount();
      assert.deepEqual([user.displayName, nameFromGoogle], ['Aninha', false]);
    });

    it('lets a user without a password delete the account after a recent sign-in', async (t) => {
      const { server } = await startBoth(t, kind);
      const { client } = server.visitor;
      await goThrough(server.visitor, server.url);
      await makeOld(server);
      await assert.rejects(client.auth.deleteAccount(), refusedWith('auth/sign-in-again'));
      const { landed } = await goThrough(server.visitor, server.url, paths.auth.googleConfirm);
      assert.equal(landed, '/entrar-com-google?para=conta');
      const sessions = await server.database.selectFrom('sessions').select('id').execute();
      assert.equal(sessions.length, 1, 'the confirmed session replaces the old one');
      await client.auth.deleteAccount();
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      assert.equal(await client.auth.findSession(), undefined);
    });

    it('still asks a user with a password for it, after any sign-in', async (t) => {
      const { server } = await startBoth(t, kind);
      const ana = await server.join();
      await assert.rejects(ana.client.auth.deleteAccount(), refusedWith('request/invalid'));
      assert.ok(await ana.client.auth.findSession());
    });

    it('confirms a session only by the same user of Google', async (t) => {
      const { server, sign } = await startBoth(t, kind);
      const { client } = server.visitor;
      await goThrough(server.visitor, server.url);
      await makeOld(server);
      const before = await client.auth.findSession();
      sign(({ payload }) => Object.assign(payload, claims, { sub: 'google-2', email: 'bia@exemplo.com.br' }));
      const { landed } = await goThrough(server.visitor, server.url, paths.auth.googleConfirm);
      assert.equal(landed, '/entrar-com-google?erro=outra-pessoa&para=conta');
      assert.deepEqual(await client.auth.findSession(), before);
      const users = await server.database.selectFrom('users').select('email').execute();
      assert.deepEqual(
        users.map(({ email }) => email),
        [claims.email],
      );
      await assert.rejects(client.auth.deleteAccount(), refusedWith('auth/sign-in-again'));
    });

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

    it('links nothing to an account with a second factor', async (t) => {
      const { server } = await startBoth(t, kind);
      const owner = visitorAt(server.url);
      await owner.client.auth.signUp({ displayName: 'Ana', email: claims.email, password: 'senha12345' });
      await server.database
        .updateTable('users')
        .set({ emailVerified: true, twoFactorEnabled: true })
        .execute();
      const { landed } = await goThrough(server.visitor, server.url);
      assert.equal(landed, '/entrar-com-google?erro=segundo-fator');
      const accounts = await server.database.selectFrom('accounts').select('providerId').execute();
      assert.deepEqual(
        accounts.map(({ providerId }) => providerId),
        ['credential'],
      );
      const sessions = await server.database.selectFrom('sessions').select('id').execute();
      assert.equal(sessions.length, 1);
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

/** Moves the start of all sessions to an hour ago. */
async function makeOld({ database, kind }: TestServer) {
  const began = new Date(Date.now() - 60 * 60_000);
  const time = kind === 'sqlite' ? began.toISOString() : began;
  await sql`update sessions set ${sql.ref('createdAt')} = ${time}`.execute(database);
}
