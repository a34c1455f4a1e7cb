import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf } from '#server/testing/authenticator.ts';
import { createAuthenticator } from '#server/testing/authenticator-of-passkeys.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { tokenIn } from '#server/testing/peers/mailbox.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';

/** A user with a passkey. */
async function joinWithPasskey(server: TestServer) {
  const user = await server.join();
  const authenticator = createAuthenticator(server.origin);
  const setUp = await user.client.auth.beginPasskey({ password: user.password });
  await user.client.auth.addPasskey({ name: 'Celular', credential: authenticator.create(setUp) });
  return { ...user, authenticator };
}

type Authenticator = ReturnType<typeof createAuthenticator>;

async function signIn(server: TestServer, authenticator: Authenticator, changes = {}) {
  const { client } = visitorAt(server.url);
  const challenge = await client.auth.getPasskeyChallenge();
  await client.auth.signInWithPasskey(authenticator.sign(challenge, changes));
  return client;
}

const strongSessions = async ({ database }: TestServer) =>
  (await database.selectFrom('sessions').select('strong').execute()).filter(({ strong }) => strong).length;

for (const kind of databaseKinds) {
  describe(`passkeys on ${kind}`, { concurrency: true }, () => {
    it('sign in without a password or code, in a session that is marked as strong', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinWithPasskey(server);
      const { uri } = await ana.client.auth.beginSecondFactor({ password: ana.password });
      assert.equal(await strongSessions(server), 0);
      await ana.client.auth.confirmSecondFactor(codeOf(uri));
      assert.equal(await strongSessions(server), 1, 'the session in which the second factor was confirmed');
      const client = await signIn(server, ana.authenticator);
      assert.equal((await client.auth.findSession())?.user.uid, ana.uid);
      assert.equal(await strongSessions(server), 2);
      const { passkeys, sessions } = await client.documents.exportAccount();
      assert.equal(sessions.length, 2);
      const [passkey] = passkeys;
      assert.equal(passkey?.name, 'Celular');
      assert.ok(passkey.lastUsedAt !== null && passkey.lastUsedAt >= passkey.createdAt);
      const other = visitorAt(server.url).client;
      await other.auth.signIn({ email: ana.email, password: ana.password });
      await other.auth.finishSignIn(codeOf(uri, 1));
      assert.equal(await strongSessions(server), 3);
    });

    it('are refused with another origin, site, counter or challenge, and without user verification', async (t) => {
      const server = await startTestServer(t, kind);
      const { authenticator } = await joinWithPasskey(server);
      await signIn(server, authenticator, { counter: 5 });
      const wrong = [
        { origin: 'https://outro.exemplo.com.br' },
        { rpId: 'outro.exemplo.com.br' },
        { verified: false },
        { counter: 5 },
        { counter: 4 },
      ];
      for (const changes of wrong)
        await assert.rejects(
          signIn(server, authenticator, { counter: 6, ...changes }),
          refusedWith('auth/wrong-passkey'),
          JSON.stringify(changes),
        );
      const { client } = visitorAt(server.url);
      const challenge = await client.auth.getPasskeyChallenge();
      const assertion = authenticator.sign(challenge, { counter: 7 });
      await client.auth.signInWithPasskey(assertion);
      await assert.rejects(client.auth.signInWithPasskey(assertion), refusedWith('auth/wrong-passkey'));
      const forged = { ...challenge, challenge: `${challenge.challenge}x` };
      const stranger = createAuthenticator(server.origin);
      for (const made of [authenticator.sign(forged, { counter: 9 }), stranger.sign(challenge)])
        await assert.rejects(
          visitorAt(server.url).client.auth.signInWithPasskey(made),
          refusedWith('auth/wrong-passkey'),
        );
    });

    it('are a challenge for one sign-in even in concurrent requests', async (t) => {
      const server = await startTestServer(t, kind);
      const { authenticator } = await joinWithPasskey(server);
      const { client } = visitorAt(server.url);
      const assertion = authenticator.sign(await client.auth.getPasskeyChallenge());
      const both = await Promise.allSettled(
        [1, 2].map(() => visitorAt(server.url).client.auth.signInWithPasskey(assertion)),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });

    it('are the proof for changes of the account, only in the session that asked', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await joinWithPasskey(server), await joinWithPasskey(server)];
      const { auth } = ana.client;
      const ofVisitor = ana.authenticator.sign(await server.visitor.client.auth.getPasskeyChallenge());
      const ofBia = bia.authenticator.sign(await auth.getPasskeyChallenge());
      for (const passkey of [ofVisitor, ofBia])
        await assert.rejects(auth.beginPasskey({ passkey }), refusedWith('auth/wrong-passkey'));
      const passkey = ana.authenticator.sign(await auth.getPasskeyChallenge(), { counter: 9 });
      const { uri } = await auth.beginSecondFactor({ passkey });
      assert.match(uri, /^otpauth:/);
      await assert.rejects(auth.endSecondFactor({ passkey }), refusedWith('auth/wrong-passkey'));
    });

    it('cannot be added or deleted with a stolen session alone', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, authenticator } = await joinWithPasskey(server);
      const { auth } = client;
      const [own] = (await client.documents.exportAccount()).passkeys;
      await assert.rejects(auth.beginPasskey({}), refusedWith('request/invalid'));
      await assert.rejects(auth.deletePasskey(own?.id ?? '', {}), refusedWith('request/invalid'));
      // The challenge of a proof does not add a passkey.
      const setUp = await auth.getPasskeyChallenge();
      const user = { id: '', name: '', displayName: '' };
      const credential = createAuthenticator(server.origin).create({ ...setUp, rpName: '', user });
      await assert.rejects(auth.addPasskey({ name: 'X', credential }), refusedWith('auth/wrong-passkey'));
      await signIn(server, authenticator);
    });

    it('are renamed and deleted by their user alone, who gets mails', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await joinWithPasskey(server), await server.join()];
      // Waits for the work after the responses. Until now, the address is not verified and gets no mail.
      await server.mails();
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      const list = async () => (await ana.client.documents.exportAccount()).passkeys;
      const id = (await list())[0]?.id ?? '';
      for (const foreign of [id, 'nenhuma', '\0']) {
        const rename = bia.client.auth.renamePasskey(foreign, 'Minha');
        await assert.rejects(rename, refusedWith('documents/not-found'));
        const deletion = bia.client.auth.deletePasskey(foreign, { password: bia.password });
        await assert.rejects(deletion, refusedWith('documents/not-found'));
      }
      await ana.client.auth.renamePasskey(id, 'Notebook');
      assert.equal((await list())[0]?.name, 'Notebook');
      await ana.client.auth.deletePasskey(id, { password: ana.password });
      assert.deepEqual(await list(), []);
      await assert.rejects(signIn(server, ana.authenticator), refusedWith('auth/wrong-passkey'));
      const subjects = (await server.mails()).map(({ subject }) => subject?.split(' · ')[0]);
      assert.deepEqual(subjects, ['Chave de acesso apagada']);
    });

    it('stay after a reset of the password, and go when the owner of the address takes over', async (t) => {
      const server = await startTestServer(t, kind);
      const { client, email, authenticator } = await joinWithPasskey(server);
      const reset = async () => {
        await client.auth.requestPasswordReset(email);
        // Not simply the newest mail: the notice of an earlier reset can be sent after the link.
        const mail = (await server.mails()).findLast(({ subject }) => subject?.startsWith('Criar uma nova'));
        const token = tokenIn(mail ?? assert.fail('no mail'));
        await client.auth.resetPassword({ token, password: 'outraSenha99' });
      };
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      await reset();
      await signIn(server, authenticator);
      await server.database.updateTable('users').set({ emailVerified: false }).execute();
      await reset();
      await assert.rejects(signIn(server, authenticator), refusedWith('auth/wrong-passkey'));
    });
  });
}
