import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { goThroughGoogle, startWithGoogle } from '#server/testing/peers/google.ts';
import { startMailbox, tokenIn } from '#server/testing/peers/mailbox.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';

const fresh = 'nova@exemplo.com.br';

/** A user with a verified address. */
async function joinVerified(server: TestServer) {
  const user = await server.join();
  await verify(server, user.uid);
  return user;
}

const verify = ({ database }: TestServer, uid: string) =>
  database.updateTable('users').set({ emailVerified: true }).where('id', '=', uid).execute();

/** Returns the token of the newest mail to `to` with this subject; undefined if there is none. */
async function tokenTo(server: TestServer, to: string, subject: string): Promise<string | undefined> {
  const mail = (await server.mails()).findLast(
    (one) => one.to?.[0]?.address === to && one.subject?.startsWith(subject),
  );
  return mail && tokenIn(mail);
}

const confirmToken = async (server: TestServer, email = fresh) =>
  (await tokenTo(server, email, 'Confirme o seu novo e-mail')) ?? assert.fail('no link');
const takeBackToken = async (server: TestServer, email: string) =>
  (await tokenTo(server, email, 'O e-mail da sua conta mudou')) ?? assert.fail('no link');

/** Signs in to the account in another browser. */
async function elsewhere(server: TestServer, email: string, password = 'senha12345') {
  const other = visitorAt(server.url);
  await other.client.auth.signIn({ email, password });
  return other;
}

async function changeEmail(server: TestServer, user: Awaited<ReturnType<typeof joinVerified>>, to = fresh) {
  await user.client.auth.requestEmailChange({ email: to, password: user.password });
  await user.client.auth.confirmEmailChange(await confirmToken(server, to));
}

for (const kind of databaseKinds) {
  describe(`a change of the email address on ${kind}`, { concurrency: true }, () => {
    it('is done by the link at the new address, in any browser with a session, and ends all others', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinVerified(server);
      await ana.client.auth.requestEmailChange({ email: 'NOVA@exemplo.com.br', password: ana.password });
      const token = await confirmToken(server);
      assert.ok((await server.mails()).some(({ subject }) => subject?.startsWith('Pedido de troca')));
      const stranger = visitorAt(server.url);
      await assert.rejects(
        stranger.client.auth.confirmEmailChange(token),
        refusedWith('auth/unauthenticated'),
      );
      const bia = await server.join();
      await assert.rejects(bia.client.auth.confirmEmailChange(token), refusedWith('auth/other-account'));
      assert.equal((await ana.client.auth.findSession())?.user.email, ana.email, 'nothing has changed yet');

      const phone = await elsewhere(server, ana.email);
      await phone.client.auth.confirmEmailChange(token);
      const session = await phone.client.auth.findSession();
      assert.deepEqual([session?.user.email, session?.user.emailVerified], [fresh, true]);
      assert.equal(await ana.client.auth.findSession(), undefined);
      await assert.rejects(elsewhere(server, ana.email), refusedWith('auth/invalid-credentials'));
      await elsewhere(server, fresh);
      await assert.rejects(phone.client.auth.confirmEmailChange(token), refusedWith('auth/invalid-link'));
      const admin = await server.join('admin');
      const { documents } = await admin.client.documents.listUsers({ search: 'nova' });
      assert.deepEqual(
        documents.map(({ email }) => email),
        [fresh],
      );
    });

    it('gives the session a new token, so that a copy of its cookie ends', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinVerified(server);
      const token = () => server.database.selectFrom('sessions').select('token').executeTakeFirstOrThrow();
      const before = await token();
      await changeEmail(server, ana);
      assert.notDeepEqual(await token(), before);
      assert.ok(await ana.client.auth.findSession());
    });

    it('cannot be completed with a stolen session alone', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinVerified(server);
      const { auth } = ana.client;
      const refusals = [
        [() => auth.requestEmailChange({ email: fresh }), 'request/invalid'],
        [() => auth.requestEmailChange({ email: fresh, password: 'errada12345' }), 'auth/wrong-password'],
        [() => auth.beginSecondFactor({}), 'request/invalid'],
        [() => auth.confirmSecondFactor('000000'), 'auth/wrong-code'],
        [() => auth.endSecondFactor({}), 'request/invalid'],
        [() => auth.deleteAccount({}), 'request/invalid'],
        [() => auth.changePassword({ current: 'errada12345', next: 'novasenha99' }), 'auth/wrong-password'],
        [() => auth.confirmEmailChange('nenhum'), 'auth/invalid-link'],
        [() => auth.takeEmailBack('nenhum'), 'auth/invalid-link'],
      ] as const;
      for (const [call, code] of refusals) await assert.rejects(call, refusedWith(code), String(call));
      assert.deepEqual(await server.database.selectFrom('emailChanges').selectAll().execute(), []);
    });

    it('is taken back by the old address for 72 hours, without what a thief has added', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinVerified(server);
      await changeEmail(server, ana);
      const token = await takeBackToken(server, ana.email);
      // The thief changes the password and moves on to another mailbox.
      await ana.client.auth.changePassword({ current: ana.password, next: 'doLadrao99' });
      await changeEmail(server, { ...ana, password: 'doLadrao99' }, 'outra@exemplo.com.br');
      const thiefsToken = await takeBackToken(server, fresh);
      // Nobody else can get the old address meanwhile.
      const squatter = visitorAt(server.url).client.auth;
      await assert.rejects(
        squatter.signUp({ displayName: 'X', email: ana.email, password: 'senha12345' }),
        refusedWith('auth/email-taken'),
      );
      // An invitation that the thief of an admin has sent would let the thief in again.
      const invitation = { id: 'x', token: 'x', email: 'x@example.com', member: 'admin', note: '' } as const;
      const times = { createdAt: 1, expiresAt: Date.now() + 60_000 };
      await server.database
        .insertInto('invitations')
        .values({ ...invitation, ...times, invitedBy: ana.uid })
        .execute();

      assert.equal(await visitorAt(server.url).client.auth.takeEmailBack(token), ana.email);
      assert.deepEqual(await server.database.selectFrom('invitations').selectAll().execute(), []);
      assert.equal(await ana.client.auth.findSession(), undefined);
      await assert.rejects(
        elsewhere(server, ana.email, 'doLadrao99'),
        refusedWith('auth/invalid-credentials'),
      );
      for (const ended of [token, thiefsToken])
        await assert.rejects(
          visitorAt(server.url).client.auth.takeEmailBack(ended),
          refusedWith('auth/invalid-link'),
        );
      const owner = visitorAt(server.url).client.auth;
      await owner.requestPasswordReset(ana.email);
      const reset = (await tokenTo(server, ana.email, 'Criar uma nova senha')) ?? assert.fail('no link');
      await owner.resetPassword({ token: reset, password: 'deAnaDeNovo9' });
      const back = await elsewhere(server, ana.email, 'deAnaDeNovo9');
      assert.equal((await back.client.auth.findSession())?.user.uid, ana.uid);
    });

    it('is not taken back after 72 hours, nor by an address that was never verified', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await joinVerified(server), await server.join()];
      await changeEmail(server, ana);
      const token = await takeBackToken(server, ana.email);
      await server.database
        .updateTable('emailChanges')
        .set({ expiresAt: Date.now() - 1 })
        .execute();
      await assert.rejects(ana.client.auth.takeEmailBack(token), refusedWith('auth/invalid-link'));
      await changeEmail(server, bia, 'bia@exemplo.com.br');
      assert.equal(await tokenTo(server, bia.email, 'O e-mail da sua conta mudou'), undefined);
      assert.equal(await tokenTo(server, bia.email, 'Pedido de troca'), undefined);
    });

    it('responds alike for a taken address, and tells only its owner', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await joinVerified(server), await server.join()];
      const ask = (email: string) =>
        ana.fetch(paths.auth.emailChange, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: server.origin },
          body: JSON.stringify({ email, password: ana.password }),
        });
      for (const email of [bia.email, 'livre@exemplo.com.br']) {
        const response = await ask(email);
        assert.deepEqual([response.status, await response.text()], [202, '']);
        const { emailChanges } = await ana.client.documents.exportAccount();
        assert.deepEqual(
          emailChanges.map(({ newEmail, changedAt }) => [newEmail, changedAt]),
          [[email, null]],
        );
      }
      assert.ok(await tokenTo(server, 'livre@exemplo.com.br', 'Confirme o seu novo e-mail'));
      const told = (await server.mails()).filter((mail) => mail.to?.[0]?.address === bia.email);
      assert.ok(told.some(({ subject }) => subject?.startsWith('Este e-mail já tem uma conta')));
      assert.ok(!told.some(({ subject }) => subject?.startsWith('Confirme o seu novo')));
    });

    it('is withdrawn, replaced by a newer one, and ended by a reset of the password', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinVerified(server);
      const request = (email: string) =>
        ana.client.auth.requestEmailChange({ email, password: ana.password });
      await request(fresh);
      const withdrawn = await confirmToken(server);
      await ana.client.auth.withdrawEmailChange();
      await request(fresh);
      const replaced = await confirmToken(server);
      await request('outra@exemplo.com.br');
      const reset = await confirmToken(server, 'outra@exemplo.com.br');
      await ana.client.auth.requestPasswordReset(ana.email);
      const token = (await tokenTo(server, ana.email, 'Criar uma nova senha')) ?? assert.fail('no link');
      await ana.client.auth.resetPassword({ token, password: 'outraSenha99' });
      const { client } = await elsewhere(server, ana.email, 'outraSenha99');
      for (const ended of [withdrawn, replaced, reset])
        await assert.rejects(client.auth.confirmEmailChange(ended), refusedWith('auth/invalid-link'));
    });

    it('does not happen while the old address cannot be told', async (t) => {
      const mailbox = await startMailbox();
      const server = await startTestServer(t, kind, { environment: { SMTP_URL: mailbox.url } });
      const ana = await joinVerified(server);
      await ana.client.auth.requestEmailChange({ email: fresh, password: ana.password });
      await server.app.afterResponse.idle();
      const token = tokenIn(await mailbox.take(fresh));
      await mailbox.stop();
      await assert.rejects(ana.client.auth.confirmEmailChange(token), refusedWith('server/unavailable'));
      assert.equal((await ana.client.auth.findSession())?.user.email, ana.email);
      const { emailChanges } = await ana.client.documents.exportAccount();
      assert.equal(emailChanges[0]?.changedAt, null, 'the link stays valid');
    });

    it('keeps the account of Google, which opens the same account and no second one', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const { client } = server.visitor;
      await goThroughGoogle(server.visitor);
      const uid = (await client.auth.findSession())?.user.uid;
      await client.auth.requestEmailChange({ email: fresh });
      await client.auth.confirmEmailChange(await confirmToken(server));
      const phone = visitorAt(server.url);
      assert.equal((await goThroughGoogle(phone)).landed, '/entrar-com-google');
      const session = await phone.client.auth.findSession();
      assert.deepEqual([session?.user.uid, session?.user.email], [uid, fresh]);
      const users = await server.database.selectFrom('users').select('email').execute();
      assert.deepEqual(
        users.map(({ email }) => email),
        [fresh],
      );
    });
  });
}
