import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { codeOf } from '../testing/authenticator.ts';
import { databaseKinds } from '../testing/databases.ts';
import { claims, goThroughGoogle, startWithGoogle } from '../testing/peers/google.ts';
import { linkIn } from '../testing/peers/mailbox.ts';
import {
  publishedSite,
  startTestServer,
  type TestServer,
  type TestUser,
  visitorAt,
} from '../testing/server.ts';
import { rateLimits } from './rate-limits.ts';

const email = claims.email;
const strangersPassword = 'senhaDoEstranho1';
const ownPassword = 'senhaDaDona22';
const verified = { environment: { REQUIRE_VERIFIED_EMAIL: 'true' } };

/** What a stranger can do with a session and a password, and what takes the time of hashing a password. */
const attacksInFlight: Record<string, (stranger: TestUser) => Promise<unknown>> = {
  'sign-in': (stranger) => signIn(stranger, strangersPassword),
  'change of the password': ({ client }) =>
    client.auth.changePassword({ current: strangersPassword, next: 'outraDele44' }),
  'end of the second factor': ({ client }) => client.auth.endSecondFactor({ password: strangersPassword }),
  'set-up of a second factor': ({ client }) => client.auth.beginSecondFactor({ password: strangersPassword }),
};

for (const kind of databaseKinds) {
  describe(`the first proof of an email address on ${kind}`, { concurrency: true }, () => {
    it('gives the account to the owner, not to the stranger who signed up first', async (t) => {
      const { server, stranger, owner, takeToken } = await startWithStranger(t, kind, verified);
      await signUp(owner, ownPassword);
      await press(owner, { token: await takeToken() });
      await ownerHasAccount(server, { stranger, password: ownPassword });
      const { displayName } = await server.database
        .selectFrom('users')
        .select('displayName')
        .executeTakeFirstOrThrow();
      assert.equal(displayName, senderOf(ownPassword));
    });

    it('asks for a password when the owner opens the link that the stranger asked for', async (t) => {
      const { server, stranger, owner, strangersToken, takeToken } = await startWithStranger(
        t,
        kind,
        verified,
      );
      await signUp(owner, ownPassword);
      await takeToken();
      assert.deepEqual(await press(owner, { token: strangersToken }), [403, 'auth/choose-password']);
      assert.deepEqual(await press(owner, { token: strangersToken, password: 'senha123' }), [
        400,
        'request/invalid',
      ]);
      await press(owner, { token: strangersToken, password: 'escolhida33' });
      await ownerHasAccount(server, { stranger, password: 'escolhida33' });
    });

    it('needs one field when the mail is opened in another browser', async (t) => {
      const { server, stranger, owner, takeToken } = await startWithStranger(t, kind, verified);
      await signUp(owner, ownPassword);
      const token = await takeToken();
      const laptop = visitorAt(server.url, server.origin);
      const state = async (user: TestUser) =>
        (await post(user, '/api/auth/verify-email/link', { token })).json();
      assert.deepEqual(await state(laptop), { email, choosePassword: true, signedInAs: null });
      assert.deepEqual(await state(owner), { email, choosePassword: false, signedInAs: null });
      await press(laptop, { token, password: ownPassword });
      assert.equal((await laptop.client.auth.findSession())?.user.email, email);
      await ownerHasAccount(server, { stranger, password: ownPassword });
    });

    it('works once, also for two browsers at once, and ends the other links', async (t) => {
      const { server, owner, strangersToken, takeToken } = await startWithStranger(t, kind, verified);
      await signUp(owner, ownPassword);
      const token = await takeToken();
      const browsers = [visitorAt(server.url, server.origin), visitorAt(server.url, server.origin)];
      const statuses = await Promise.all(
        browsers.map(async (user) => (await press(user, { token, password: ownPassword }))[0]),
      );
      assert.deepEqual(statuses.sort(), [204, 400]);
      for (const old of [token, strangersToken])
        assert.deepEqual(await press(owner, { token: old, password: ownPassword }), [
          400,
          'auth/invalid-link',
        ]);
    });

    it('stores no account and no readable token before the proof', async (t) => {
      const { server, strangersToken } = await startWithStranger(t, kind, verified);
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      const rows = JSON.stringify(
        await server.database.selectFrom('verificationLinks').selectAll().execute(),
      );
      assert.ok(!rows.includes(strangersToken) && !rows.includes(strangersPassword));
    });

    it('mails the link of a sign-up again when a reset is requested before the proof', async (t) => {
      const { server, owner, takeToken } = await startWithStranger(t, kind, verified);
      await signUp(owner, ownPassword);
      await takeToken();
      await owner.client.auth.requestPasswordReset(email);
      await press(owner, { token: await takeToken() });
      assert.equal((await owner.client.auth.findSession())?.user.email, email);
      await signIn(visitorAt(server.url, server.origin), ownPassword);
    });

    it('stays possible for a sign-up whose mail a stranger has used up', async (t) => {
      const { server, stranger, owner, takeToken } = await startWithStranger(t, kind, verified);
      for (let turn = 1; turn < rateLimits.mailByRecipient.attempts; turn += 1) {
        await signUp(stranger, strangersPassword);
        await takeToken();
      }
      await signUp(owner, ownPassword);
      await assert.rejects(takeToken(), 'no mail was sent');
      // The period of the rate limit ends.
      await server.database.deleteFrom('attempts').execute();
      await owner.client.auth.requestPasswordReset(email);
      await press(owner, { token: await takeToken() });
      await ownerHasAccount(server, { stranger, password: ownPassword });
    });

    it('is refused while another user is signed in', async (t) => {
      const { server, strangersToken } = await startWithStranger(t, kind, {});
      const bia = await server.join();
      assert.deepEqual(await press(bia, { token: strangersToken, password: ownPassword }), [
        409,
        'auth/other-account',
      ]);
      assert.equal((await bia.client.auth.findSession())?.user.uid, bia.uid);
    });

    it('takes the account from a stranger with a session and a later password', async (t) => {
      const { server, stranger, owner, strangersToken } = await startWithStranger(t, kind, {});
      await stranger.client.auth.changePassword({ current: strangersPassword, next: 'outraDele44' });
      assert.deepEqual(await press(owner, { token: strangersToken }), [403, 'auth/choose-password']);
      await press(owner, { token: strangersToken, password: ownPassword });
      await ownerHasAccount(server, { stranger, password: ownPassword });
      assert.equal(await signIn(stranger, 'outraDele44'), 401);
    });

    it('keeps everything for the signed-in user who opens the link', async (t) => {
      const { server, stranger: user, strangersToken } = await startWithStranger(t, kind, {});
      await press(user, { token: strangersToken });
      assert.equal((await user.client.auth.findSession())?.user.emailVerified, true);
      assert.equal(await signIn(visitorAt(server.url, server.origin), strangersPassword), 200);
    });

    it('by a reset removes the second factor and the session of the stranger', async (t) => {
      const { server, stranger, owner, takeToken } = await startWithStranger(t, kind, {});
      await addSecondFactor(server, stranger);
      await owner.client.auth.requestPasswordReset(email);
      const token = await takeToken();
      await owner.client.auth.resetPassword({ token, password: ownPassword });
      await signIn(owner, ownPassword);
      await ownerHasAccount(server, { stranger, password: ownPassword });
    });

    it('by Google removes the password, the second factor and the session of the stranger', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const stranger = visitorAt(server.url, server.origin);
      await signUp(stranger, strangersPassword);
      await addSecondFactor(server, stranger);
      const { landed } = await goThroughGoogle(server.visitor);
      assert.equal(landed, '/entrar-com-google');
      assert.equal((await server.visitor.client.auth.findSession())?.user.email, email);
      assert.equal(await stranger.client.auth.findSession(), undefined);
      assert.equal(await signIn(stranger, strangersPassword), 401);
      // The account of Google that proved the address stays.
      assert.equal(
        (await goThroughGoogle(visitorAt(server.url, server.origin))).landed,
        '/entrar-com-google',
      );
    });

    for (const [what, attack] of Object.entries(attacksInFlight))
      it(`leaves nothing to a stranger whose ${what} began before it`, async (t) => {
        const { server, stranger, owner, takeToken } = await startWithStranger(t, kind, {
          passwordCost: 2 ** 14,
        });
        await server.database.updateTable('users').set({ member: 'admin' }).execute();
        await owner.client.auth.requestPasswordReset(email);
        const token = await takeToken();
        // The stranger's passwords are in the queue when the owner's is added to it.
        const attempts = Array.from({ length: 4 }, () => attack(stranger));
        const proof = owner.client.auth.resetPassword({ token, password: ownPassword });
        await Promise.all([proof, ...attempts.map((attempt) => attempt.catch(() => {}))]);
        assert.equal(await stranger.client.auth.findSession(), undefined);
        assert.deepEqual(await server.database.selectFrom('sessions').select('id').execute(), []);
        assert.deepEqual(await server.database.selectFrom('twoFactors').select('id').execute(), []);
        assert.equal(await signIn(owner, ownPassword), 200);
      });
  });
}

/** Starts a server on which a stranger has signed up with the owner's email address. */
async function startWithStranger(
  t: Parameters<typeof startTestServer>[0],
  kind: TestServer['kind'],
  options: Parameters<typeof startTestServer>[2],
) {
  const server = await startTestServer(t, kind, {
    ...options,
    environment: { ...publishedSite, ...options?.environment },
  });
  const [stranger, owner] = [visitorAt(server.url, server.origin), visitorAt(server.url, server.origin)];
  const seen = new Set<string>();
  /** Returns the token in the only new mail. */
  const takeToken = async () => {
    const tokens = (await server.mails()).map((mail) => /[#=]([\w-]+)$/.exec(linkIn(mail))?.[1] ?? '');
    const fresh = tokens.filter((token) => !seen.has(token));
    for (const token of fresh) seen.add(token);
    assert.equal(fresh.length, 1);
    return fresh[0] ?? '';
  };
  await signUp(stranger, strangersPassword);
  return { server, stranger, owner, takeToken, strangersToken: await takeToken() };
}

const senderOf = (password: string) => (password === ownPassword ? 'Dona Deste Endereço' : 'Estranho');

async function signUp(user: TestUser, password: string) {
  const response = await user.fetch(paths.auth.signUp, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await user.appCheck()) },
    body: JSON.stringify({ displayName: senderOf(password), email, password }),
  });
  assert.ok([201, 403].includes(response.status));
}

async function post(user: TestUser, path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  return user.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Presses the button of the page that a verification link opens. @returns the status and the error code */
async function press(user: TestUser, input: { token: string; password?: string }) {
  const response = await post(user, paths.auth.verifyEmail, input);
  const { code } = response.status === 204 ? {} : ((await response.json()) as { code?: string });
  return [response.status, code] as const;
}

const signIn = async (user: TestUser, password: string) =>
  (await post(user, paths.auth.signIn, { email, password })).status;

/** The stranger ends with nothing, and the owner signs in on any device. */
async function ownerHasAccount(
  { url, origin }: TestServer,
  { stranger, password }: { stranger: TestUser; password: string },
) {
  assert.equal(await stranger.client.auth.findSession(), undefined);
  assert.equal(await signIn(stranger, strangersPassword), 401);
  const phone = visitorAt(url, origin);
  assert.equal(await signIn(phone, password), 200);
  assert.equal((await phone.client.auth.findSession())?.user.emailVerified, true);
}

/** Only admins may turn on a second factor, so the account is an admin's while the stranger does so. */
async function addSecondFactor({ database }: TestServer, { client }: TestUser) {
  await database.updateTable('users').set({ member: 'admin' }).execute();
  const { uri } = await client.auth.beginSecondFactor({ password: strangersPassword });
  await client.auth.confirmSecondFactor(codeOf(uri));
  await database.updateTable('users').set({ member: 'no' }).execute();
}
