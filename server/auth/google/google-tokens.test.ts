import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { MutableToken } from 'oauth2-mock-server';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { claims, goThroughGoogle, startWithGoogle } from '#server/testing/peers/google.ts';
import { visitorAt } from '#server/testing/server.ts';

for (const kind of databaseKinds) {
  describe(`tokens and callbacks of Google on ${kind}`, { concurrency: true }, () => {
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
      'a malformed subject': ({ payload }) => Object.assign(payload, claims, { sub: 'a\0b' }),
      'a malformed email address': ({ payload }) =>
        Object.assign(payload, claims, { email: `${'a'.repeat(480)}@exemplo.com.br` }),
    };
    for (const [what, change] of Object.entries(wrong)) {
      it(`refuses an ID token with ${what}`, async (t) => {
        const { server, sign } = await startWithGoogle(t, kind);
        sign(change);
        const { landed } = await goThroughGoogle(server.visitor);
        assert.match(String(landed), /^\/entrar-com-google\?erro=/);
        assert.equal(await server.visitor.client.auth.findSession(), undefined);
        assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      });
    }

    it('refuses a response without an ID token', async (t) => {
      const { server, provider } = await startWithGoogle(t, kind);
      provider.service.on('beforeResponse', (response: { body: Record<string, unknown> | '' }) => {
        if (typeof response.body === 'object') delete response.body.id_token;
      });
      provider.service.on('beforeUserinfo', (response: { body: object }) => {
        response.body = claims;
      });
      const { landed } = await goThroughGoogle(server.visitor);
      assert.equal(landed, '/entrar-com-google?erro=falhou');
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
    });

    it('creates nothing for an unverified email address where verified ones are required', async (t) => {
      const { server, sign } = await startWithGoogle(t, kind, { REQUIRE_VERIFIED_EMAIL: 'true' });
      for (const verified of [false, 'false', undefined]) {
        sign(({ payload }) => Object.assign(payload, claims, { email_verified: verified }));
        const { landed } = await goThroughGoogle(server.visitor);
        assert.equal(landed, '/entrar-com-google?erro=email-nao-confirmado');
      }
      assert.equal(await server.visitor.client.auth.findSession(), undefined);
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      // Once the account's email address is verified, the Google user can sign in even when Google says that
      // the email address is not verified.
      sign(({ payload }) => Object.assign(payload, claims));
      await goThroughGoogle(server.visitor);
      sign(({ payload }) => Object.assign(payload, claims, { email_verified: false }));
      assert.equal((await goThroughGoogle(visitorAt(server.url))).landed, '/entrar-com-google');
    });

    it('refuses an ID token without a signature, or signed with a secret instead of the key', async (t) => {
      const { server, provider } = await startWithGoogle(t, kind);
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
        const { landed } = await goThroughGoogle(server.visitor);
        assert.match(String(landed), /\?erro=/, alg);
      }
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
    });

    it('refuses a callback that is replayed, or whose sign-in began in another browser', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const { way } = await goThroughGoogle(server.visitor);
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
  });
}
