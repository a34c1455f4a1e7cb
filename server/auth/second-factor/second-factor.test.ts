import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { symmetricEncrypt } from 'better-auth/crypto';
import { codeOf, fromBase32 } from '#server/testing/authenticator.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { tokenIn } from '#server/testing/peers/mailbox.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';
import { countAttempts, rateLimits } from '../rate-limits.ts';

for (const kind of databaseKinds) {
  describe(`second factor on ${kind}`, { concurrency: true }, () => {
    it('is required after the password, once a user has set it up and confirmed a code', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const credentials = { email: ana.email, password: ana.password };
      const { uri } = await ana.client.auth.beginSecondFactor({ password: ana.password });
      assert.match(uri, /^otpauth:\/\/totp\//);
      assert.doesNotMatch(uri, /\+/, 'authenticators would show it in the name');
      assert.notEqual(
        await visitorAt(server.url).client.auth.signIn(credentials),
        'second-factor',
        'not confirmed yet',
      );
      await assert.rejects(ana.client.auth.confirmSecondFactor('000000'), refusedWith('auth/wrong-code'));
      await ana.client.auth.confirmSecondFactor(codeOf(uri));
      assert.equal((await ana.client.auth.findSession())?.user.secondFactor, true);

      const { client } = visitorAt(server.url);
      assert.equal(await client.auth.signIn(credentials), 'second-factor');
      assert.equal(await client.auth.findSession(), undefined, 'the password alone opens nothing');
      await assert.rejects(client.auth.finishSignIn('123456'), refusedWith('auth/wrong-code'));
      const session = await client.auth.finishSignIn(codeOf(uri, 1));
      assert.equal(session.user.uid, ana.uid);
      await client.documents.exportAccount();
    });

    it('accepts each recovery code once', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, recoveryCodes } = await joinWithSecondFactor(server);
      const [code = ''] = recoveryCodes;
      assert.ok(recoveryCodes.length >= 8);
      const { client } = visitorAt(server.url);
      await client.auth.signIn(admin);
      assert.equal((await client.auth.finishSignIn(code)).user.email, admin.email);
      const again = visitorAt(server.url).client;
      await again.auth.signIn(admin);
      await assert.rejects(again.auth.finishSignIn(code), refusedWith('auth/wrong-code'));
    });

    it('makes the browser known, so that strangers cannot lock the account', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, recoveryCodes } = await joinWithSecondFactor(server);
      const [first = '', second = ''] = recoveryCodes;
      const { client } = visitorAt(server.url);
      assert.equal(await client.auth.signIn(admin), 'second-factor');
      await client.auth.finishSignIn(first);
      await client.auth.signOut();
      for (let index = 0; index < rateLimits.signInByAccount.attempts; index += 1)
        await countAttempts(server, [['signInByAccount', admin.email]]);
      const stranger = visitorAt(server.url);
      await assert.rejects(stranger.client.auth.signIn(admin), refusedWith('auth/too-many-attempts'));
      // Leaves the known browser one attempt. The sign-in with the second factor then resets the count.
      const { mark } = await server.database
        .selectFrom('knownBrowsers')
        .select('mark')
        .orderBy('signedInAt', 'desc')
        .executeTakeFirstOrThrow();
      for (let index = 1; index < rateLimits.signInByKnownBrowser.attempts; index += 1)
        await countAttempts(server, [['signInByKnownBrowser', mark]]);
      assert.equal(await client.auth.signIn(admin), 'second-factor');
      await client.auth.finishSignIn(second);
      assert.equal(await client.auth.signIn(admin), 'second-factor');
    });

    it('is not bypassed by the link that verifies the email address', async (t) => {
      const server = await startTestServer(t, kind, { environment: { REQUIRE_VERIFIED_EMAIL: 'true' } });
      const credentials = { email: 'ana@exemplo.com.br', password: 'senha12345' };
      const newestToken = async () => {
        const mail = (await server.mails()).findLast(({ subject }) => subject?.startsWith('Confirme o seu'));
        return tokenIn(mail ?? assert.fail('no mail'));
      };
      const owner = server.visitor;
      await assert.rejects(owner.client.auth.signUp({ displayName: 'Ana', ...credentials }));
      await owner.client.auth.verifyEmail({ token: await newestToken() });
      assert.ok(await owner.client.auth.findSession());
      const all = server.database.updateTable('users');
      await all.set({ member: 'admin' }).execute();
      const { uri } = await owner.client.auth.beginSecondFactor({ password: credentials.password });
      await owner.client.auth.confirmSecondFactor(codeOf(uri));
      // Simulates a site that begins to require verified email addresses.
      await all.set({ emailVerified: false }).execute();

      const elsewhere = visitorAt(server.url);
      const signIn = elsewhere.client.auth.signIn(credentials);
      await assert.rejects(signIn, refusedWith('auth/email-not-verified'));
      await elsewhere.client.auth.verifyEmail({ token: await newestToken() });
      assert.equal(await elsewhere.client.auth.findSession(), undefined);
      assert.equal(await elsewhere.client.auth.signIn(credentials), 'second-factor');
      assert.ok(await owner.client.auth.findSession(), 'other sessions stay open');
    });

    it('accepts a code of the authenticator once, even from two concurrent sign-ins', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, uri, client: atSetUp } = await joinWithSecondFactor(server);
      const pending = async () => {
        const { client } = visitorAt(server.url);
        assert.equal(await client.auth.signIn(admin), 'second-factor');
        return client;
      };
      const [one, other] = [await pending(), await pending()];
      const code = codeOf(uri, 1);
      const both = await Promise.allSettled([one, other].map(({ auth }) => auth.finishSignIn(code)));
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const later = await pending();
      await assert.rejects(later.auth.finishSignIn(code), refusedWith('auth/wrong-code'));
      await assert.rejects(atSetUp.auth.confirmSecondFactor(code), refusedWith('auth/wrong-code'));
    });

    it('is not turned on by a recovery code, which stays valid', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, email, password } = await server.join('admin');
      const { uri, recoveryCodes } = await client.auth.beginSecondFactor({ password });
      const [code = ''] = recoveryCodes;
      await assert.rejects(client.auth.confirmSecondFactor(code), refusedWith('request/invalid'));
      assert.equal((await client.auth.findSession())?.user.secondFactor, false);
      await client.auth.confirmSecondFactor(codeOf(uri));
      const elsewhere = visitorAt(server.url).client;
      await elsewhere.auth.signIn({ email, password });
      await elsewhere.auth.finishSignIn(code);
    });

    it('tells the owner by mail when it is turned on and off', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, client } = await joinWithSecondFactor(server);
      const subjects = async () => (await server.mails()).map(({ subject }) => subject?.split(' · ')[0]);
      assert.deepEqual(await subjects(), [], 'a stranger may own an address that is not verified');
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      await client.auth.endSecondFactor({ password: admin.password });
      await server.mails();
      const { uri } = await client.auth.beginSecondFactor({ password: admin.password });
      await client.auth.confirmSecondFactor(codeOf(uri));
      assert.deepEqual((await subjects()).toSorted(), [
        'Verificação em duas etapas desligada',
        'Verificação em duas etapas ligada',
      ]);
    });

    it('can be turned off with the password', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, client } = await joinWithSecondFactor(server);
      await assert.rejects(
        client.auth.endSecondFactor({ password: 'errada12345' }),
        refusedWith('auth/wrong-password'),
      );
      await client.auth.endSecondFactor({ password: admin.password });
      assert.notEqual(await visitorAt(server.url).client.auth.signIn(admin), 'second-factor');
      assert.deepEqual(await server.database.selectFrom('twoFactors').select('id').execute(), []);
    });

    it('limits how often a code may be guessed', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, uri } = await joinWithSecondFactor(server);
      const { client } = visitorAt(server.url);
      await client.auth.signIn(admin);
      for (let index = 0; index < 12; index += 1) {
        await assert.rejects(client.auth.finishSignIn(String(100_000 + index)));
      }
      await assert.rejects(client.auth.finishSignIn(codeOf(uri)), 'the pending sign-in has ended');
    });

    it('that another secret has encrypted gives a sentence at the sign-in', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, uri, recoveryCodes } = await joinWithSecondFactor(server);
      const encrypt = (data: string) => symmetricEncrypt({ key: 'the secret before it was lost', data });
      await server.database
        .updateTable('twoFactors')
        .set({ secret: await encrypt('x'), backupCodes: await encrypt('[]') })
        .execute();
      const { client } = visitorAt(server.url);
      assert.equal(await client.auth.signIn(admin), 'second-factor');
      for (const code of [codeOf(uri, 1), recoveryCodes[0] ?? ''])
        await assert.rejects(client.auth.finishSignIn(code), {
          code: 'auth/second-factor-unreadable',
          message: /Peça à clínica que a desligue/,
        });
    });

    it('stores its secret and its codes encrypted in the database', async (t) => {
      const server = await startTestServer(t, kind);
      const { uri, recoveryCodes } = await joinWithSecondFactor(server);
      const secret = new URL(uri).searchParams.get('secret') ?? '';
      const dump = JSON.stringify(await server.database.selectFrom('twoFactors').selectAll().execute());
      for (const hidden of [secret, fromBase32(secret).toString(), ...recoveryCodes])
        assert.ok(!dump.includes(hidden));
    });
  });
}

async function joinWithSecondFactor(server: TestServer) {
  const { client, email, password } = await server.join('admin');
  const { uri, recoveryCodes } = await client.auth.beginSecondFactor({ password });
  await client.auth.confirmSecondFactor(codeOf(uri));
  return { admin: { email, password }, client, uri, recoveryCodes };
}
