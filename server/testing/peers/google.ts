import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { paths } from '#contract/paths.ts';
import type { DatabaseKind } from '#server/database/connect.ts';
import { startTestServer, type TestUser } from '../server.ts';

/** The provider's claims about the user. */
export const claims = {
  sub: 'google-1',
  email: 'ana@exemplo.com.br',
  email_verified: true,
  name: 'Ana de Souza',
};

/** One key for every provider of this process, because a new key takes half a second. */
let key: ReturnType<OAuth2Server['issuer']['keys']['generate']> | undefined;

/**
 * Starts a real OpenID provider on loopback, and a server that uses it.
 * @param settings more settings of the server
 */
export async function startWithGoogle(
  t: TestContext,
  kind: DatabaseKind,
  settings: Record<string, string> = {},
) {
  const provider = new OAuth2Server();
  key ??= new OAuth2Server().issuer.keys.generate('RS256');
  await provider.issuer.keys.add(await key);
  await provider.start(0, '127.0.0.1');
  t.after(async () => {
    if (provider.listening) await provider.stop();
  });
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
  /** Sets the function that changes each ID token before it is signed. */
  const sign = (change: (token: MutableToken) => void) => {
    provider.service.removeAllListeners('beforeTokenSigning');
    provider.service.on('beforeTokenSigning', change);
  };
  sign(({ payload }) => Object.assign(payload, claims));
  return { server, provider, sign };
}

/**
 * Follows the redirects to the provider and back.
 * @param path where the sign-in begins
 * @returns `way`: the path of the callback; `landed`: where the callback redirects to
 */
export async function goThroughGoogle(user: TestUser, path: string = paths.auth.google) {
  const start = await user.fetch(path, { redirect: 'manual' });
  assert.equal(start.status, 303);
  const authorize = new URL(start.headers.get('location') ?? '');
  const response = await fetch(authorize, { redirect: 'manual' });
  const back = new URL(response.headers.get('location') ?? '');
  const way = back.pathname + back.search;
  assert.equal(back.origin, 'http://localhost:3000');
  const finish = await user.fetch(way, { redirect: 'manual' });
  const cookies = finish.headers.getSetCookie();
  return { authorize, way, landed: finish.headers.get('location'), cookies };
}
